import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import type { ProofResult } from '../proof.ts'
import { findScenes, readOrder } from '../harness/orders.ts'
import { waitFor, type TemporaryFolder } from '../harness/resources.ts'
import { administrator, grantCredits, startServer, type ServerProcess } from '../harness/server-process.ts'
import { createKeepAliveAgent, createOperationCall, send } from '../load/sender.ts'
import { readCommands, runCommands, type CommandEnvironment } from './commands.ts'
import { backUpDatabase, backUpFiles, createBackups, createMachine, restoreMachine, type Machine } from './machine.ts'

const delivery_ms = 240_000
/** The commit time of a transaction must lie on the right side of the moment. */
const apart_ms = 1500

/**
 * Backs up a database and a bucket with the commands of the runbook, restores both to a point in time on an empty
 * machine, and compares: earlier deliveries are there with all their bytes, the journal verifies, and later data is not
 * there. Then items are partitioned, and a key and the master secret replaced.
 */
export async function proveRunbook(): Promise<ProofResult> {
  await using backups = await createBackups()
  const violations: string[] = []
  const { before, late, moment } = await useFirstMachine(backups)
  console.log('the first machine is gone')
  await using second = await restoreMachine(backups, moment)
  await using restored = await startOn(second)
  violations.push(...(await checkOrders(restored.client, before, late)))
  const { assets, found } = await verifyByRunbook(restored, second)
  violations.push(...found, ...(await rotateKey(restored)), ...(await partitionItems(second)))
  await using replaced = await replaceSecret(restored, second)
  violations.push(...(await verifyByRunbook(replaced, second)).found, ...(await rotateKey(replaced)))
  await stop(replaced)
  return { tried: `restored ${before.length} orders and ${assets} files to ${moment}, replaced the secret`, violations }
}

/** Orders before and after a moment, which is returned, and backs both up. */
async function useFirstMachine(
  backups: TemporaryFolder,
): Promise<{ before: readonly string[]; late: string; moment: string }> {
  await using machine = await createMachine(backups)
  await using server = await startOn(machine)
  const { client } = server
  await grantCredits(client)
  const before = [await deliverOrder(client, 'before the copy')]
  await backUpDatabase(machine)
  before.push(await deliverOrder(client, 'after the copy'))
  await pause(apart_ms)
  const moment = await readTime(machine)
  await pause(apart_ms)
  const late = await deliverOrder(client, 'after the moment')
  await runCommands('psql "$SUPERUSER_URL" -qtAc "select pg_switch_wal()"', machine.postgres)
  await backUpFiles(machine)
  await stop(server)
  return { before, late, moment }
}

const firstMasterSecret = 'the master secret of the runbook proof'
const secondMasterSecret = 'the next master secret of the runbook proof'
const firstSecret: CommandEnvironment = { SWATH_SECRET: firstMasterSecret }

async function startOn({ settings }: Machine, secrets: CommandEnvironment = firstSecret): Promise<ServerProcess> {
  const port = String(await freePort())
  const own = { PORT: port, BASE_URL: `http://127.0.0.1:${port}`, SWATH_PLAY_MONEY: 'on', SWATH_DEMO: 'on' }
  return startServer({ ...settings, ...own, ...secrets })
}

const stop = async (server: ServerProcess): Promise<void> => assert.equal(await server.stop(), 0)

/** Orders a priced scene and waits until its files are stored. */
async function deliverOrder(client: Client, key: string): Promise<string> {
  const captures = await findScenes(client, 'commercial')
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures }, { idempotencyKey: key })
  const isDelivered = async () => (await readOrder(client, id)).status === 'FULFILLED'
  if (!(await waitFor(isDelivered, { timeout_ms: delivery_ms, poll_ms: 500 })))
    throw new Error(`the order ${key} was not delivered`)
  return id
}

const readTime = async ({ postgres }: Machine): Promise<string> =>
  (await runCommands('psql "$SUPERUSER_URL" -qtAc "select clock_timestamp()"', postgres)).trim()

async function checkOrders(client: Client, before: readonly string[], late: string): Promise<string[]> {
  const { content } = await client.call<{ content: { id: string }[] }>('orders.list', { size: 50 })
  const ids = new Set(content.map(({ id }) => id))
  return [
    ...before.filter((id) => !ids.has(id)).map((id) => `the order ${id} was placed before the moment and is missing`),
    ...(ids.has(late) ? [`the order ${late} was placed after the moment and is there`] : []),
  ]
}

/** Runs the two commands that the runbook compares with, the second for every stored file. */
async function verifyByRunbook(
  { client, url }: ServerProcess,
  machine: Machine,
): Promise<{ assets: number; found: string[] }> {
  const commands = (await readCommands('Restore to a point in time')).at(-1)!
  const [verifyLedger, verifyAsset] = commands.trim().split('\n')
  const environment = {
    ...machine.settings,
    SWATH_ADDRESS: url,
    SWATH_USERNAME: administrator.username,
    SWATH_PASSWORD: administrator.password,
  }
  // npm first prints the command, unless it is silent.
  const parse = <T>(output: string): T => JSON.parse(output.slice(output.search(/^\{/m))) as T
  const found: string[] = []
  const ledger = parse<{ valid: boolean }>(await runCommands(verifyLedger!, environment))
  if (!ledger.valid) found.push(`the journal does not verify: ${JSON.stringify(ledger)}`)
  const files = await listFiles(client)
  if (files.length === 0) found.push('there are no files')
  for (const input of files) {
    const command = verifyAsset!.replace(/'\{.*\}'/, () => `'${JSON.stringify(input)}'`)
    const { intact } = parse<{ intact: boolean }>(await runCommands(command, environment))
    if (!intact) found.push(`the file of asset ${input.asset_id} is not intact`)
  }
  return { assets: files.length, found }
}

async function listFiles(client: Client): Promise<{ item_id: string; asset_id: string }[]> {
  const { features } = await client.call<{ features: { id: string }[] }>('items.search_org', { limit: 50 })
  const files: { item_id: string; asset_id: string }[] = []
  for (const { id: item_id } of features) {
    const { assets } = await client.call<{ assets: { id: string }[] }>('items.list_assets', { item_id })
    files.push(...assets.map(({ id: asset_id }) => ({ item_id, asset_id })))
  }
  return files
}

/**
 * Items are made one table, which an installation from before the partitions has, and the command of the runbook partitions them while the
 * server runs. All of them must be there afterwards.
 */
async function partitionItems({ postgres }: Machine): Promise<string[]> {
  const query = async (text: string): Promise<string> =>
    (await runCommands(`psql "$SUPERUSER_URL" -qtAc "${text}"`, postgres)).trim()
  const countPartitions = () => query(`select count(*) from pg_inherits where inhparent = 'items'::regclass`)
  const hashItems = () => query('select md5(string_agg(i::text, chr(10) order by i.id)) from items i')
  await query('select swath_partition_items(0)')
  const [before, items] = [await countPartitions(), await hashItems()]
  const [command] = await readCommands('What grows')
  await runCommands(command!, { ...postgres, DATABASE_MIGRATION_URL: postgres['SUPERUSER_URL']! })
  const [after, moved] = [await countPartitions(), await hashItems()]
  return [
    ...(before === '0' && after === '8'
      ? []
      : [`items had ${before} partitions before the command and ${after} after it`]),
    ...(moved === items ? [] : ['the command that partitions items changed them']),
  ]
}

/** Replaces the master secret while a process that accepts both serves; returns one that has only the new one. */
async function replaceSecret(old: ServerProcess, machine: Machine): Promise<ServerProcess> {
  const both = { SWATH_SECRET: secondMasterSecret, SWATH_SECRET_PREVIOUS: firstMasterSecret }
  await stop(old)
  await using overlap = await startOn(machine, both)
  const [reseal] = await readCommands('The master secret')
  console.log((await runCommands(reseal!, { ...machine.settings, ...both })).trim().split('\n').at(-1))
  await stop(overlap)
  return startOn(machine, { SWATH_SECRET: secondMasterSecret })
}

/** An API key is replaced: the new one is accepted, and the old one refused within the time that the runbook states. */
async function rotateKey({ client, url }: ServerProcess): Promise<string[]> {
  const agent = createKeepAliveAgent(1)
  const create = (name: string) =>
    client.call<{ id: string; key: string }>('api_keys.create', { name, permissions: ['can_read'] })
  const read = async (key: string): Promise<string> =>
    (await send(url, createOperationCall('orders.list', { size: 1 }, key), agent)).outcome
  const [old, next] = [await create('old'), await create('new')]
  const found: string[] = []
  if ((await read(old.key)) !== '200') found.push('a restored installation refuses a new API key')
  await client.call('api_keys.revoke', { key_id: old.id })
  if (!(await waitFor(async () => (await read(old.key)) === '401', { timeout_ms: 10_000, poll_ms: 200 })))
    return [...found, 'a revoked API key is accepted after ten seconds']
  if ((await read(next.key)) !== '200') found.push('the second API key is refused')
  return found
}
