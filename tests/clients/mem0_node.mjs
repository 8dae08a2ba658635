// Every method of mem0's TypeScript client once, its errors, and Vercel's provider for the AI SDK. Takes the address of a
// server and a key for it; prints what was called.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { MemoryClient } from "mem0ai";
import { addMemories, createMem0, getMemories, retrieveMemories, searchMemories } from "@mem0/vercel-ai-provider";

const [server, key] = process.argv.slice(2);
const host = `${server}/compat/mem0`;
const called = [];

async function call(name, run) {
  const found = await run();
  called.push(name);
  return found;
}

async function refused(name, pattern, run) {
  const raised = await run().then(() => null, (error) => error);
  assert.match(`${raised?.name} ${raised?.message}`, pattern, name);
  called.push(`${name} → ${raised.name}`);
}

function versionOf(name) {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
}

async function client() {
  const client = new MemoryClient({ apiKey: key, host });
  await call("ping", () => client.ping());
  const user = `node-${Date.now()}`;
  const filters = { user_id: user };
  const said = (text) => [{ role: "user", content: text }];
  const added = await call("add(infer: false)", () =>
    client.add(said("I like green tea"), { userId: user, infer: false, metadata: { cup: 1 }, agentId: "bot" }),
  );
  const id = added.results[0].id;
  const waiting = await call("add", () => client.add(said("I prefer window seats on trains."), { userId: user }));
  assert.equal(waiting.status, "PENDING");
  assert.equal((await call("get", () => client.get(id))).memory, "I like green tea");
  const listed = await call("getAll", () => client.getAll({ filters, page: 1, pageSize: 10 }));
  assert.deepEqual(listed.results.map((one) => one.id), [id]);
  const found = await call("search", () => client.search("green tea", { filters, topK: 3, rerank: false }));
  assert.equal(found.results[0].id, id);
  const narrowed = { AND: [filters, { agent_id: "other" }] };
  assert.deepEqual((await client.search("green tea", { filters: narrowed })).results, []);
  await call("update", () => client.update(id, { text: "I like black tea", metadata: { cup: 2 } }));
  assert.equal((await call("history", () => client.history(id))).length, 2);
  await call("batchUpdate", () => client.batchUpdate([{ memoryId: id, text: "I like white tea" }]));
  await call("feedback", () => client.feedback({ memoryId: id, feedback: "POSITIVE", feedbackReason: "good" }));
  const made = await call("createMemoryExport", () => client.createMemoryExport({ schema: {}, filters }));
  await call("getMemoryExport", () => client.getMemoryExport({ memoryExportId: made.id }));
  await call("users", () => client.users());
  await call("getProfile", () => client.getProfile({ entityId: user }));
  await call("generateProfile", () => client.generateProfile({ entityId: user }));
  await call("sampleProfiles", () => client.sampleProfiles({ limit: 2 }));
  await call("getProfileJob", () => client.getProfileJob("profile"));
  await call("getProfileSettings", () => client.getProfileSettings());
  await call("updateProfileSettings", () => client.updateProfileSettings({ enabled: true }));
  const hook = { name: "n", url: "http://x", eventTypes: ["memory_add"] };
  await refused("createWebhook", /AuthenticationError|403/, () => client.createWebhook(hook));
  await refused("updateWebhook", /NotFound|404/, () => client.updateWebhook({ ...hook, webhookId: "3" }));
  await refused("deleteWebhook", /NotFound|404/, () => client.deleteWebhook({ webhookId: "3" }));
  await call("getProject", () => client.getProject({ fields: ["custom_instructions"] }));
  await call("getWebhooks", () => client.getWebhooks());
  await refused("updateProject", /AuthenticationError|403/, () => client.updateProject({ customInstructions: "x" }));
  await refused("get(missing)", /NotFound|404/, () => client.get("01990000-0000-7000-8000-00000000dead"));
  await refused("deleteAll()", /Validation|400/, () => client.deleteAll());
  const wrong = new MemoryClient({ apiKey: "ks_wrong", host });
  await refused("ping(wrong key)", /key|401/i, () => wrong.ping());
  await call("delete", () => client.delete(id));
  const other = (await client.add(said("My bike is red"), { userId: user, infer: false })).results[0].id;
  await call("batchDelete", () => client.batchDelete([other]));
  await call("deleteAll", () => client.deleteAll({ userId: user }));
  await client.add(said("My car is blue"), { userId: user, infer: false });
  await call("deleteUser", () => client.deleteUser({ entity_type: "user", entity_id: user }));
  await client.add(said("My boat is green"), { userId: user, infer: false });
  await call("deleteUsers", () => client.deleteUsers({ userId: user }));
  assert.deepEqual((await client.getAll({ filters })).results, []);
}

async function provider() {
  const user_id = `vercel-${Date.now()}`;
  const config = { user_id, mem0ApiKey: key, host };
  const prompt = [{ role: "user", content: [{ type: "text", text: "I like green tea" }] }];
  const added = await call("addMemories", () => addMemories(prompt, { ...config, infer: false }));
  assert.equal(added.results[0].memory, "I like green tea");
  assert.equal((await call("getMemories", () => getMemories("green tea", config)))[0].memory, "I like green tea");
  assert.equal((await call("searchMemories", () => searchMemories("green tea", config))).results.length, 1);
  assert.match(await call("retrieveMemories", () => retrieveMemories(prompt, config)), /Memory: I like green tea/);
  await refused("getMemories(wrong key)", /401/, () => getMemories("tea", { ...config, mem0ApiKey: "ks_wrong" }));
  await generates(config);
}

// The model is asked through the provider, with what is remembered put before the prompt; it is a server's own `fetch`.
async function generates(config) {
  let asked = "";
  const content = [{ type: "output_text", text: "Green.", annotations: [] }];
  const output = [{ type: "message", id: "m", role: "assistant", content }];
  const answer = { id: "1", created_at: 1, model: "any", output, usage: { input_tokens: 1, output_tokens: 1 } };
  const fetchModel = async (_, options) => {
    asked = options.body;
    return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
  };
  const settings = { provider: "openai", mem0ApiKey: key, apiKey: "none", mem0Config: config };
  const mem0 = createMem0({ ...settings, config: { fetch: fetchModel } });
  const model = mem0("any", config);
  const prompt = [{ role: "user", content: [{ type: "text", text: "Which green tea do I like?" }] }];
  await call("doGenerate", () => model.doGenerate({ prompt }));
  assert.match(asked, /I like green tea/);
}

const quiet = console.error;
console.error = () => {};
await client();
await provider();
console.error = quiet;
const names = ["mem0ai", "@mem0/vercel-ai-provider"].map((name) => `${name} ${versionOf(name)}`).join(", ");
console.log(`npm ${names}: ${called.length} calls\n  ${called.join(", ")}`);
process.exit(0);
