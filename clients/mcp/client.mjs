// One of the official TypeScript clients saves, finds, reads and is refused: node client.mjs sdk|client HOW
// HOW: http, or stdio for `manage.py mcp`. KEEPSAKE_URL, KEEPSAKE_KEY, PYTHON and MANAGE say where Keepsake is.
import assert from "node:assert/strict";

const [, , generation, how] = process.argv;
const { KEEPSAKE_URL, KEEPSAKE_KEY, PYTHON, MANAGE } = process.env;
const { Client, StreamableHTTPClientTransport, StdioClientTransport } =
  generation === "sdk"
    ? {
        ...(await import("@modelcontextprotocol/sdk/client/index.js")),
        ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
        ...(await import("@modelcontextprotocol/sdk/client/stdio.js")),
      }
    : { ...(await import("@modelcontextprotocol/client")), ...(await import("@modelcontextprotocol/client/stdio")) };

const transport =
  how === "stdio"
    ? new StdioClientTransport({ command: PYTHON, args: [MANAGE, "mcp"], env: { KEEPSAKE_URL, KEEPSAKE_KEY } })
    : new StreamableHTTPClientTransport(new URL(`${KEEPSAKE_URL}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${KEEPSAKE_KEY}` } },
      });
const person = `${generation} ${how} zoë`;
const client = new Client({ name: "try", version: "1" });
await client.connect(transport);
assert.equal(client.getServerVersion().name, "keepsake");
assert.equal((await client.listTools()).tools.length, 12);
const call = (name, more) => client.callTool({ name, arguments: { person, ...more } });
assert.ok(!(await call("add_memory", { content: "Zoë likes green tea" })).isError);
assert.equal((await call("search_memories", { query: "green tea" })).structuredContent.total_found, 1);
const profile = await client.readResource({ uri: `memory://profile/${encodeURIComponent(person)}` });
assert.match(profile.contents[0].text, /green tea/);
const prompt = await client.getPrompt({ name: "context", arguments: { person, query: "green tea" } });
assert.match(prompt.messages[0].content.text, /green tea/);
assert.equal((await call("delete_memory", { utterance: "forget about the green tea" })).structuredContent.status, "confirm");
assert.equal((await call("get_memory", { memory_id: "x" })).isError, true);
await client.close();
