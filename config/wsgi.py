"""The WSGI entry point that the web server loads."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# What is loaded by now stays, and the collector need not look through it again; nor need it look whenever 700 objects
# were made, as a page or an import makes tens of thousands: 15 % of the processor that an import took.
GC_THRESHOLD = 100_000
gc.collect()
gc.freeze()
gc.set_threshold(GC_THRESHOLD, 50, 100)
