import { jobReceiptSignerKey } from '../receipts.ts'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { compactVerify, importJWK } from 'jose'
import type { Job } from '@swath/contract/schemas/job.ts'
import {
  createOrganizationWithHeights,
  type OrganizationWithHeights,
} from '../../../../test/processing/organization-with-heights.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findAssetsOfItem } from '../../items/assets/store.assets.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { computeJobTimeLimit } from '../leases/time-limit.ts'

const repository = join(import.meta.dirname, '../../../../../..')
const folder = mkdtempSync(join(tmpdir(), 'receipts-'))

let services: TestServices
let org: OrganizationWithHeights['org']
let heights: string
before(async () => {
  services = await openTestServices()
  ;({ org, heights } = await createOrganizationWithHeights(services))
})
after(async () => {
  await services?.close()
  rmSync(folder, { recursive: true })
})

const execute = async (inputs: object): Promise<Job> => {
  const request = { process_id: 'hillshade', workspaceId: org.project, inputs: { item: heights, ...inputs } }
  return (await org.invoke<{ job: Job }>('processing.execute', request)).job
}

const getJob = async (job_id: string): Promise<Job> =>
  (await org.invoke<{ job: Job }>('processing.job.get', { job_id })).job

interface Lineage {
  readonly activity: Record<string, Record<string, string>>
}

function runVerifier(lineage: string, keys: string, files: readonly string[] = []) {
  const words = [join(repository, 'tools/verify-receipt.mjs'), lineage, '--keys', keys]
  return spawnSync(process.execPath, [...words, ...files.flatMap((path) => ['--file', path])], { encoding: 'utf8' })
}

test('the receipt of a job is signed, and verified offline with its outputs; a changed one is not', async () => {
  const { id } = await execute({ azimuth: 300 })
  await org.runner.runPending()
  const job = await getJob(id)
  assert.equal(job.status, 'completed', JSON.stringify(job.failure))
  const root = { entity_type: 'item', entity_id: job.item_ids[0] }
  const lineage = await org.invoke<Lineage>('provenance.export', root)
  const record = lineage.activity[`swath:processing_job/${id}`]!
  const { publicKey } = services.processServices.get(jobReceiptSignerKey)

  const { payload, protectedHeader } = await compactVerify(record['swath:receipt_jws']!, await importJWK(publicKey))
  assert.deepEqual(protectedHeader, { alg: 'EdDSA', kid: publicKey.kid, typ: 'swath-receipt+jws' })
  const receipt = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>
  assert.deepEqual(receipt, JSON.parse(record['swath:receipt']!))
  assert.deepEqual([receipt['job_id'], receipt['organization_id']], [id, org.organization])

  const [asset] = (await findAssetsOfItem(org.owner.db, org.organization, job.item_ids[0]!)).filter(
    ({ key }) => key === 'data',
  )
  const paths = Object.fromEntries(
    ['lineage', 'changed', 'keys', 'none', 'data', 'other'].map((name) => [name, join(folder, name)]),
  ) as Record<'lineage' | 'changed' | 'keys' | 'none' | 'data' | 'other', string>
  writeFileSync(paths.lineage, JSON.stringify(lineage))
  writeFileSync(paths.keys, JSON.stringify({ keys: [publicKey] }))
  writeFileSync(paths.none, JSON.stringify({ keys: [] }))
  writeFileSync(paths.data, await services.blobs.read(asset!.blob_path!, 0, asset!.file_size_bytes!))
  writeFileSync(paths.other, 'other bytes')
  const [header, , signature] = record['swath:receipt_jws']!.split('.')
  const forged = Buffer.from(JSON.stringify({ ...receipt, process: 'slope' })).toString('base64url')
  writeFileSync(paths.changed, `${header}.${forged}.${signature}`)

  const valid = runVerifier(paths.lineage, paths.keys, [paths.data])
  assert.equal(valid.status, 0, valid.stdout + valid.stderr)
  assert.match(valid.stdout, new RegExp(`Valid: job ${id} ran hillshade`))
  assert.match(valid.stdout, new RegExp(`data is data of item ${job.item_ids[0]}`))
  for (const [run, fault] of [
    [runVerifier(paths.changed, paths.keys), /FAULT the signature is not that of the receipt/],
    [runVerifier(paths.lineage, paths.none), /FAULT the receipt was signed with the key/],
    [runVerifier(paths.lineage, paths.keys, [paths.other]), /FAULT .* is not an output/],
  ] as const) {
    assert.equal(run.status, 1, run.stderr)
    assert.match(run.stdout, fault)
  }
  assert.equal(runVerifier(paths.lineage, join(folder, 'missing')).status, 2)
})

test('a job that runs too long fails with a reason, and its hold is released', async () => {
  const job = await execute({ azimuth: 200 })
  const held = (await readWalletBalance(org.owner.db, org.organization, org.owner.clock.now())).held_credits
  assert.equal(held, job.credits_held)
  await org.owner.db.query(sql`
    update processing_jobs set plan = jsonb_set(plan, '{time_limit_s}', '0.001')
    where organization_id = ${org.organization} and id = ${job.id}`)
  await org.runner.runPending()
  const ended = await getJob(job.id)
  assert.deepEqual(
    [ended.status, ended.settlement, ended.failure?.code, ended.attempt],
    ['failed', 'released', 'time-limit', 1],
  )
  assert.match(ended.failure!.text, /longer than the minute .* smaller area/)
  assert.equal((await readWalletBalance(org.owner.db, org.organization, org.owner.clock.now())).held_credits, 0)
})

test('the time of a job grows with its samples, below that of its task', () => {
  assert.deepEqual(
    [computeJobTimeLimit(0), computeJobTimeLimit(10_980 ** 2 * 4), computeJobTimeLimit(1e12)],
    [300, 1747, 18_000],
  )
})
