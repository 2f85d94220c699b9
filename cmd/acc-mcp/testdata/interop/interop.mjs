// Drives acc-mcp with the MCP TypeScript SDKs, as the clients that are built on
// them do: version 1 speaks 2025-11-25, version 2 is held to 2026-07-28.
//
//   node interop.mjs path/to/acc-mcp
//
// Prints one line for each check and exits with 1 at the first surprise.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';

const tools = ['acc_ack', 'acc_claim', 'acc_finish', 'acc_inbox', 'acc_message', 'acc_release',
  'acc_reply', 'acc_request', 'acc_status', 'acc_sync', 'acc_work'];
const program = resolve(process.argv[2] ?? 'bin/acc-mcp');
const info = { name: 'acc-interop', version: '1' };

const generations = [
  {
    name: 'SDK 1 at 2025-11-25',
    arrays: 'text', // structuredContent must be an object there
    client: () => new ClientV1(info),
    transport: (options) => new StdioV1(options),
    revision: '2025-11-25',
    async subscribe(client, uri, told) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => told(params));
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
  },
  {
    name: 'SDK 2 at 2026-07-28',
    arrays: 'structured',
    client: () => new ClientV2(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    transport: (options) => new StdioV2(options),
    revision: '2026-07-28',
    async subscribe(client, uri, told) {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => told(params));
      const stream = await client.listen({ resourceSubscriptions: [uri, 'acc://roster'], toolsListChanged: true });
      assert.deepEqual(stream.honoredFilter, { resourceSubscriptions: [uri] });
      return async () => {
        await stream.close();
        assert.equal(await stream.closed, 'local');
      };
    },
  },
];

for (const generation of generations) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'acc-interop-')));
  try {
    await drive(generation, workspace);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

// open starts a server for a participant and connects a client to it.
async function open(generation, workspace, participant) {
  const client = generation.client();
  const surprises = [];
  client.onerror = (error) => surprises.push(error);
  const transport = generation.transport({
    command: program,
    env: { PATH: process.env.PATH, HOME: process.env.HOME ?? tmpdir(), ACC_MCP_PARTICIPANT: participant, ACC_MCP_WORKSPACE: workspace },
    stderr: 'inherit',
  });
  let agreed; // both SDKs tell a transport that wants to know
  transport.setProtocolVersion = (version) => { agreed = version; };
  await client.connect(transport);
  assert.equal(client.getNegotiatedProtocolVersion?.() ?? agreed, generation.revision);
  return { client, surprises };
}

async function drive(generation, workspace) {
  const step = (what) => console.log(`${generation.name}: ${what}`);
  const { client: alice, surprises } = await open(generation, workspace, 'alice');
  const { client: bob } = await open(generation, workspace, 'bob');
  assert.equal(alice.getServerVersion().name, 'acc');
  assert.ok(alice.getInstructions().includes('acc_inbox'));
  assert.equal(alice.getServerCapabilities().experimental.acc.delivery.livePush, false);
  step('connected');

  const listed = (await alice.listTools()).tools;
  assert.deepEqual(listed.map((tool) => tool.name).sort(), tools);
  for (const tool of listed) assert.equal(tool.inputSchema.type, 'object');
  step(`${listed.length} tools listed`);

  assert.equal(value(await bob.callTool({ name: 'acc_status', arguments: {} })).participantId, 'bob');
  const sent = value(await alice.callTool({
    name: 'acc_message', arguments: { to: ['bob'], kind: 'question', subject: 'Ready?', body: 'Zeile eins\n名前 🙂' },
  }));
  assert.equal(sent.delivery[0].outcome, 'queued');
  assert.equal(value(await bob.callTool({ name: 'acc_inbox', arguments: {} })).items.length, 1);
  step('objects come in text and structured content');

  await exactRead(generation, bob, sent.message.messageId);
  step(`an array comes in ${generation.arrays === 'text' ? 'text alone' : 'text and structured content'}`);

  const failed = await alice.callTool({ name: 'acc_message', arguments: { to: ['bobb'], subject: 's', body: 'b' } });
  assert.equal(failed.isError, true);
  assert.equal(JSON.parse(failed.content[0].text).error.reason, 'recipient_unknown');
  await assert.rejects(() => alice.callTool({ name: 'acc_fly', arguments: {} }), (error) => error.code === -32602);
  step('failures are results, an unknown tool is an error');

  const uris = (await alice.listResources()).resources.map((resource) => resource.uri).sort();
  assert.deepEqual(uris, ['acc://inbox', 'acc://roster', 'acc://snapshot']);
  const roster = await alice.readResource({ uri: 'acc://roster' });
  assert.equal(roster.contents[0].mimeType, 'application/json');
  assert.equal(JSON.parse(roster.contents[0].text).length, 2);
  step('resources listed and read');

  await subscription(generation, alice, bob);
  step('a subscription signals that mail came');

  const replied = value(await bob.callTool({ name: 'acc_reply', arguments: { messageId: sent.message.messageId, body: 'Ready.' } }));
  assert.equal(replied.receipt.state, 'acknowledged');
  value(await bob.callTool({ name: 'acc_finish', arguments: { goal: 'Answer', status: 'complete' } }));
  await Promise.all([alice.close(), bob.close()]);
  assert.deepEqual(surprises, []);
  step('closed');
}

// subscription follows bob's inbox. A signal is no receipt.
async function subscription(generation, alice, bob) {
  const signals = [];
  let wake = () => {};
  const uri = 'acc://inbox';
  const unsubscribe = await generation.subscribe(bob, uri, (params) => { signals.push(params.uri); wake(); });
  const note = { name: 'acc_message', arguments: { to: ['bob'], subject: 'signalled', body: 'b' } };
  const signalled = new Promise((resolve) => { wake = resolve; });
  value(await alice.callTool(note));
  await signalled;
  assert.deepEqual(signals, [uri]);
  const [newest] = value(await bob.callTool({ name: 'acc_inbox', arguments: {} })).items;
  assert.deepEqual([newest.message.subject, newest.receipt.state], ['signalled', 'queued']);
  await unsubscribe();
  await bob.listTools(); // whatever was sent before has arrived
  const before = signals.length;
  value(await alice.callTool(note));
  value(await bob.callTool({ name: 'acc_inbox', arguments: {} }));
  assert.equal(signals.length, before);
}

// exactRead reads one message, which is an array of one.
async function exactRead(generation, client, messageId) {
  const result = await client.callTool({ name: 'acc_inbox', arguments: { messageId } });
  const items = JSON.parse(result.content[0].text);
  assert.equal(items.length, 1);
  assert.equal(items[0].message.body, 'Zeile eins\n名前 🙂');
  if (generation.arrays === 'text') assert.equal(result.structuredContent, undefined);
  else assert.deepEqual(result.structuredContent, items);
}

// value is what a successful call returned; text and structured content agree.
function value(result) {
  assert.ok(!result.isError, result.content[0].text);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}
