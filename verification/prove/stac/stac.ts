import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestOrganization, type TestOrganization } from '../../../packages/server/test/test-organizations.ts'
import { startTestApp } from '../../../packages/server/test/test-app.ts'
import { validateStac } from '../../../packages/server/test/stac-validator.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { closeAtEnd } from '../harness/resources.ts'

/** Default data: items of public catalogues, and schemas by URL. */
const fixturesFolder = fileURLToPath(new URL('../../../fixtures', import.meta.url))

interface Feature {
  readonly id: string
  readonly type: string
  readonly stac_version?: string
  readonly stac_extensions: readonly string[]
}

interface BatchResult {
  readonly results: readonly {
    readonly item_id: string | null
    readonly refusal: { readonly problem: string } | null
  }[]
}

/** Items per call. */
const rows_per_call = 100

/**
 * Stores every Feature of a folder with `items.batch_create` over HTTP, reads each with `items.get_stac` and validates all of
 * them with stac-node-validator: the core and every extension whose schema is available. `--data`: a folder with `stac`
 * (items as `.json` or `.ndjson`, at any depth) and `schemas` (by URL); default: the project's fixtures.
 */
export async function proveStac({ data, short }: ProofOptions): Promise<ProofResult> {
  const folder = data ?? fixturesFolder
  const features = (await readFeatures(join(folder, 'stac'))).slice(0, short ? 200 : undefined)
  await using app = closeAtEnd(await startTestApp())
  const violations: string[] = []
  const storedFeatures: Feature[] = []
  let remaining: Feature[] = features
  // Ids are unique in an organization: items with a duplicate id go into the next one.
  for (let round = 1; remaining.length > 0 && round <= 10; round++) {
    const organization = await createTestOrganization(app, 0)
    remaining = await storeAll(organization, remaining, storedFeatures, violations)
  }
  const { errors: problems, unknownExtensions: unknownSchemas } = await validateStac(
    storedFeatures,
    join(folder, 'schemas'),
  )
  for (const [url, count] of [...unknownSchemas].toSorted())
    console.log(`extension not validated, ${count} times: ${url}`)
  const tried = `${features.length} features (${describeVersions(features)}), ${storedFeatures.length} stored and validated`
  return { tried, violations: [...violations, ...problems] }
}

const describeVersions = (features: readonly Feature[]): string =>
  [...Map.groupBy(features, (feature) => feature.stac_version ?? 'no version')]
    .toSorted(([remaining], [right]) => (remaining < right ? -1 : 1))
    .map(([version, list]) => `${list.length} of ${version}`)
    .join(', ')

/** Stores features and reads them back; returns those whose id was taken. */
async function storeAll(
  { owner, project }: TestOrganization,
  features: readonly Feature[],
  storedFeatures: Feature[],
  violations: string[],
): Promise<Feature[]> {
  const conflicting: Feature[] = []
  for (let at = 0; at < features.length; at += rows_per_call) {
    const sent = features.slice(at, at + rows_per_call)
    const { results } = await owner.client.call<BatchResult>('items.batch_create', {
      project_id: project,
      features: sent,
    })
    for (const [index, { item_id, refusal }] of results.entries()) {
      const feature = sent[index]!
      if (item_id !== null) storedFeatures.push(await owner.client.call<Feature>('items.get_stac', { item_id }))
      else if (refusal?.problem === 'stac-id-taken') conflicting.push(feature)
      else violations.push(`${feature.id} was rejected: ${JSON.stringify(refusal)}`)
    }
  }
  return conflicting
}

async function readFeatures(folder: string): Promise<Feature[]> {
  const found: Feature[] = []
  for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
    const path = join(folder, name)
    if (!(await stat(path)).isFile()) continue
    const text = name.endsWith('.ndjson') || name.endsWith('.json') ? await readFile(path, 'utf8') : ''
    const documents = basename(name).endsWith('.ndjson') ? text.split('\n').filter((line) => line !== '') : [text]
    for (const document of documents.filter((one) => one !== '')) {
      const value = JSON.parse(document) as Feature & { readonly features?: unknown }
      if (value.type === 'Feature') found.push(value)
    }
  }
  return found
}
