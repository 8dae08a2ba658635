"""Addresses that clients of other memory servers call: what they send is read, and the same use cases as the API's are
called. Nothing is decided here that the API does not decide."""
