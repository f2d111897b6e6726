import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Job } from '@swath/contract/schemas/job.ts'
import { findInternalWord } from './internal-words.ts'
import { refusals, toMessagePattern } from './refusals.ts'
import { Problem } from '../../src/engine/problem.ts'
import { deliverItem } from '../test-services.ts'
import * as rasters from '../rasters.ts'
import { buildZip } from '../zip-files.ts'
import { createOrganizationWithHeights, type OrganizationWithHeights } from '../processing/organization-with-heights.ts'
import { openTestServices, type TestServices } from '../test-services.ts'
import { openUploadServices, type UploadServices } from '../upload-services.ts'

let services: TestServices
let uploads: UploadServices
let org: OrganizationWithHeights['org']
let heights: string
before(async () => {
  services = await openTestServices()
  ;({ org, heights } = await createOrganizationWithHeights(services))
  uploads = await openUploadServices()
})
after(async () => {
  await services?.close()
  await uploads?.close()
})

type Corner = readonly [longitude: number, latitude: number]

const polygon = (...corners: readonly Corner[]) => ({ type: 'Polygon', coordinates: [[...corners, corners[0]!]] })

/** The elevation model reaches from 113.283° to 113.226° W and from 46.048° to 46.078° N. */
const areas = {
  bowTie: polygon([-113.27, 46.05], [-113.25, 46.07], [-113.25, 46.05], [-113.27, 46.07]),
  tenthOfMetre: polygon([-113.25, 46.06], [-113.249999, 46.06], [-113.249999, 46.060001], [-113.25, 46.060001]),
  acrossSeam: polygon([170, 50], [-170, 50], [-170, 51], [170, 51]),
  elsewhere: polygon([0, 0], [1, 0], [1, 1], [0, 1]),
  beyondPole: polygon([10.5, 91], [10.6, 91], [10.5, 92]),
  line: polygon([10.5, 50.5], [10.6, 50.5]),
  open: { type: 'Polygon', coordinates: [[[10, 50], [11, 50], [11, 51], [10, 51]]] }, // prettier-ignore
  words: { type: 'Polygon', coordinates: [[['a', 50], [11, 50], [11, 51], ['a', 50]]] }, // prettier-ignore
  point: { type: 'Point', coordinates: [10.5, 50.5] },
  nothing: {},
}

async function messageOf(id: string, input: object): Promise<string> {
  try {
    await org.invoke(id, input as Record<string, unknown>)
  } catch (error) {
    assert.ok(error instanceof Problem && error.status < 500, String(error))
    return error.message
  }
  return assert.fail(`${id} accepts ${JSON.stringify(input)}`)
}

/** What a job says: when it is created, or when it ends. */
async function failureOf(process_id: string, inputs: object): Promise<string> {
  const input = { process_id, workspaceId: org.project, inputs: { item: heights, ...inputs } }
  let created: { job: Job }
  try {
    created = await org.invoke<{ job: Job }>('processing.execute', input)
  } catch (error) {
    assert.ok(error instanceof Problem && error.status < 500, String(error))
    return error.message
  }
  await org.runner.runPending()
  const { job } = await org.invoke<{ job: Job }>('processing.job.get', { job_id: created.job.id })
  assert.equal(job.status, 'failed', `${process_id} completes with ${JSON.stringify(inputs)}`)
  return job.failure!.text
}

const provoked = new Set<string>()

/** Compares a message with that of the table, and looks for words of the code in it. */
function assertRefusal(where: string, input: string, message: string): void {
  provoked.add(`${where} ${input}`)
  assert.match(message, toMessagePattern(where, input))
  assert.equal(findInternalWord(message), null, `${where}, ${input}: ${message}`)
}

for (const [name, geometry] of Object.entries(areas))
  test(`a clip says what is wrong with an area: ${name}`, async () => {
    assertRefusal('clip', name, await failureOf('clip', { geometry }))
  })

const refusedInputs: readonly (readonly [process: string, name: string, inputs: object])[] = [
  ['rasterize', 'tenthOfMetre', { areas: [{ geometry: areas.tenthOfMetre, value: 1 }] }],
  ['rasterize', 'elsewhere', { areas: [{ geometry: areas.elsewhere, value: 1 }] }],
  ['rasterize', 'bowTie', { areas: [{ geometry: areas.bowTie, value: 1 }] }],
  ['reproject', 'geocentric', { epsg: 4978 }],
  ['reproject', 'heights', { epsg: 5773 }],
  ['reproject', 'unknown', { epsg: 999_999 }],
  ['reproject', 'elsewhere', { epsg: 3031 }],
  ['reproject', 'tooFine', { epsg: 4326, resolution: 1e-9 }],
  ['contours', 'tooFine', { interval: 1e-6 }],
  ['contours', 'none', { interval: 1e6, base: -5e5 }],
]

for (const [process, name, inputs] of refusedInputs)
  test(`a job says what is wrong with its inputs: ${process} ${name}`, async () => {
    assertRefusal(process, name, await failureOf(process, inputs))
  })

test('a part and an image without data are refused by name before anything is held', async () => {
  const { sceneInput } = rasters
  const { readRows } = sceneInput
  // Only the last column has values.
  const input = {
    ...sceneInput,
    readRows: async (top: number, rows: number) => {
      const read = await readRows(top, rows)
      for (let at = 0; at < read.data.length; at++)
        if (Math.floor(at / read.bands) % read.width < read.width - 1) read.data[at] = 0
      return { ...read, mask: null }
    },
  }
  const asset = await rasters.storeRasterAsset(services.blobs, input, [])
  const { item_id: item } = await deliverItem(org.owner, org.project, { assets: [asset] })
  const [west, north] = [10.42, 50.54]
  const area = polygon([west, north], [west, north - 0.01], [west + 0.02, north - 0.01], [west + 0.02, north])
  const before = await org.invoke<{ jobs: Job[] }>('processing.jobs.list', { workspaceId: org.project })
  assertRefusal('clip', 'empty', await failureOf('clip', { item, geometry: area }))
  assertRefusal('contours', 'noneMeasured', await failureOf('contours', { item, interval: 1e6, base: -5e5 }))
  const after = await org.invoke<{ jobs: Job[] }>('processing.jobs.list', { workspaceId: org.project })
  assert.deepEqual(after, before)
})

const refusedRequests: readonly (readonly [id: string, name: string, input: object])[] = [
  ['items.tile.point', 'elsewhere', { lon: 0, lat: 0 }],
  ['items.tile.preview', 'stretch', { rescale: 'x' }],
  ['items.tile.preview', 'formula', { expression: '((b1' }],
]

for (const [id, name, input] of refusedRequests)
  test(`a request says what is wrong: ${id} ${name}`, async () => {
    assertRefusal(id, name, await messageOf(id, { item_id: heights, ...input }))
  })

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const feature = (geometry: unknown): Uint8Array =>
  encode(JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] }))
const fixture = (name: string): Promise<Uint8Array> =>
  readFile(new URL(`../../../../fixtures/rasters/${name}`, import.meta.url))

test('the report of an upload says what is wrong with each file, and what to do', async () => {
  const { owner, project } = await uploads.createOrganization()
  const scene = await fixture('scenes/elevation-stormlake.tif')
  const files: Readonly<Record<string, Uint8Array>> = {
    'short.tif': scene.subarray(0, scene.length >> 1),
    'complex.tif': await fixture('refused/complex-f32.tif'),
    'lzma.tif': await fixture('refused/lzma.tif'),
    'far.geojson': feature({ type: 'Point', coordinates: [0, 95] }),
    'metres.geojson': feature(polygon([5e5, 6e6], [6e5, 6e6], [6e5, 7e6])),
    'words.geojson': feature(areas.words),
    'circle.geojson': feature({ type: 'Circle', coordinates: [0, 0] }),
    'broken.geojson': encode('{"type":"Feature",\n"geometry":{"type":"Point","coordinates":[1,,2]}}'),
    'broken.kml': encode('<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<a>\n</b></kml>'),
    'prefix.kml': encode('<?xml version="1.0"?><kml:kml><kml:Document/></kml:kml>'),
    'other.kml': encode('<?xml version="1.0"?><kml xmlns="x"/>'),
    'alone.zip': buildZip([{ name: 'a.shp', data: new Uint8Array(100) }]),
    'empty.tif': new Uint8Array(1),
  } // prettier-ignore
  const sent = await uploads.sendFiles(owner, { project_id: project }, files)
  await uploads.completeUpload(owner, sent)
  await uploads.taskRunner.runPending()
  const { upload } = await uploads.callOperation<{ upload: { files: { file_name: string; reason: string | null }[] } }>(
    owner,
    'uploads.get',
    { upload_id: sent.upload_id },
  )
  const reasons = new Map(upload.files.map(({ file_name, reason }) => [file_name, reason]))
  for (const name of Object.keys(files)) {
    const reason = reasons.get(name)
    assert.ok(typeof reason === 'string', `${name} is accepted`)
    assertRefusal('upload', name, reason)
    assert.match(reason, /^[A-Z"].*[.!?]$/s, name)
  }
})

test('every refusal of the table is provoked', () => {
  const rows = refusals.map(({ where, input }) => `${where} ${input}`)
  assert.deepEqual([...provoked].toSorted(), rows.toSorted())
})
