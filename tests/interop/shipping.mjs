#!/usr/bin/env node
// Takes the place of the shipping service: hears PaymentCaptured, says ShipmentBooked. Inbox, effect and outbox are one
// transaction; what is in the outbox is published with the id it has there, and only then is the delivery acknowledged.
// framework/docs/other-languages.md goes through it.
import { createServer } from 'node:http';
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, headers as natsHeaders } from 'nats';
import pg from 'pg';
import { declare } from './contracts.mjs';
import { eventSubject, lanes } from './subjects.mjs';

const env = process.env;
const [captured, booked] = declare(env.CONTRACTS, 'shop.payment.v1.PaymentCaptured', 'shop.shipping.v1.ShipmentBooked');

const tables = `
  CREATE TABLE IF NOT EXISTS inbox (message_id text PRIMARY KEY, handled_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS shipments (order_id text PRIMARY KEY, tracking_code text NOT NULL);
  CREATE TABLE IF NOT EXISTS outbox (position bigserial PRIMARY KEY, subject text NOT NULL, headers jsonb NOT NULL,
                                     payload bytea NOT NULL);
  CREATE TABLE IF NOT EXISTS parked (message_id text PRIMARY KEY, reason text NOT NULL, payload bytea NOT NULL);
  CREATE TABLE IF NOT EXISTS duplicates (message_id text NOT NULL);`;

/** Where the database is, by URL or by libpq's keywords, which `pg` does not know. */
function database(text) {
  if (text.includes('://')) return { connectionString: text };
  const words = Object.fromEntries([...text.matchAll(/(\w+)\s*=\s*(?:'([^']*)'|(\S+))/g)].map(([, k, a, b]) => [k, a ?? b]));
  return { host: words.host, port: Number(words.port), database: words.dbname, user: words.user, password: words.password };
}

const pool = new pg.Pool({ ...database(env.QUADRILLE_DATABASE_URL), max: 4 });
const nats = await connect({ servers: env.QUADRILLE_NATS_URL, name: 'shipping', maxReconnectAttempts: -1 });
const stream = nats.jetstream();

async function transaction(work) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** The headers of an event that is caused by another one. */
function causedBy(cause, type, key) {
  const trace = cause.get('traceparent').split('-');
  const said = {
    'ce-specversion': '1.0',
    'ce-id': randomUUID(),
    'ce-type': type,
    'ce-source': 'shipping',
    'ce-subject': key,
    'ce-time': new Date().toISOString(),
    'ce-datacontenttype': 'application/protobuf',
    'ce-sagaid': cause.get('ce-sagaid'),
    'ce-causationid': cause.get('ce-id'),
    'ce-stream': `shipment-${key}`,
    'ce-version': '1', // the first and only event of its stream; shipments' primary key sees to that
    'ce-hops': String(Number(cause.get('ce-hops')) + 1),
  };
  if (trace.length === 4) said.traceparent = [trace[0], trace[1], randomBytes(8).toString('hex'), trace[3]].join('-');
  return said;
}

async function book(client, message) {
  const { orderId } = captured.decode(message.data);
  const trackingCode = `N-${orderId.slice(0, 8)}`;
  const first = await client.query('INSERT INTO shipments VALUES ($1, $2) ON CONFLICT DO NOTHING', [orderId, trackingCode]);
  if (first.rowCount === 0) return;
  await client.query('INSERT INTO outbox (subject, headers, payload) VALUES ($1, $2, $3)', [
    eventSubject(orderId, 'shipping', 'shipment', 'ShipmentBooked'),
    causedBy(message.headers, 'shop.shipping.v1.ShipmentBooked', orderId),
    Buffer.from(booked.encode({ orderId, trackingCode }).finish()),
  ]);
}

/** Once, whatever comes twice: the inbox row and the effect are there together or not at all. */
async function handle(message) {
  const id = message.headers?.get('ce-id') || `stream-${message.seq}`;
  await transaction(async (client) => {
    const claimed = await client.query('INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
    if (claimed.rowCount === 0) return client.query('INSERT INTO duplicates VALUES ($1)', [id]);
    await client.query('SAVEPOINT before_the_step');
    try {
      await book(client, message);
    } catch (error) {
      if (error.code) throw error; // the database's: again later. All else is in the bytes and stays wrong.
      await client.query('ROLLBACK TO before_the_step');
      await client.query('INSERT INTO parked VALUES ($1, $2, $3)', [id, error.message, Buffer.from(message.data)]);
    }
  });
}

let publishing = Promise.resolve();
/** One at a time, so that the order of commits is the order at the broker. A crash in between publishes again. */
function publish() {
  publishing = publishing.catch(() => {}).then(async () => {
    const { rows } = await pool.query('SELECT * FROM outbox ORDER BY position');
    for (const { position, subject, headers: said, payload } of rows) {
      const headers = natsHeaders();
      for (const [name, value] of Object.entries(said)) headers.set(name, value);
      await stream.publish(subject, payload, { headers, msgID: said['ce-id'] });
      await pool.query('DELETE FROM outbox WHERE position = $1', [position]);
    }
  });
  return publishing;
}

/** One lane, one delivery at a time: what belongs together stays in order. */
async function hear(lane) {
  const consumer = await stream.consumers.get('EVT', `shipping-payment-${lane}`);
  for await (const message of await consumer.consume({ max_messages: 20 })) {
    try {
      const wanted = message.headers?.get('ce-type') === 'shop.payment.v1.PaymentCaptured';
      if (wanted) await handle(message);
      if (wanted) await publish();
      message.ack();
    } catch (error) {
      console.error(`again in a second: ${error.message}`);
      message.nak(1000);
    }
  }
}

await pool.query(tables);
await publish();
for (let lane = 0; lane < lanes; ++lane)
  hear(lane).catch((error) => {
    console.error(error.message);
    process.exit(2);
  });

const [host, port] = env.QUADRILLE_HTTP.split(':');
const server = createServer((request, response) => response.end(`${request.url}\n`)).listen(Number(port), host);
process.on('SIGTERM', async () => {
  server.close();
  await nats.drain();
  await pool.end();
  process.exit(0);
});
