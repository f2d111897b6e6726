import { posix } from 'node:path'
import { catalogGranulePointsOperation } from '@swath/contract/operations/catalog.ts'
import { isValidBounds } from '@swath/geo/bbox.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { SafeFetchFailure } from '../../../platform/integrations/integrations.ts'
import { openRasterAtUrl } from '../../tiles/url/open-raster-url.ts'
import { readHostOffers } from '../../glossary/read-host-offers.ts'
import { validateArea } from '../../tiles/aoi.ts'
import { convertRasterFailures } from '../../tiles/failures.ts'
import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import { toFetchProblem } from '../../tiles/url/remote-raster.ts'
import {
  createGranulePointFilter,
  subsamplePoints,
  findValueRange,
  type GranulePoints,
  type GranuleRequest,
} from '../imagery/granule.ts'
import { readRasterPoints } from '../imagery/granule-raster.ts'
import { pointTableReaders, type GranulePointTable } from '../imagery/granule-table.ts'

export const handler = defineHandler(catalogGranulePointsOperation, async (call, input) => {
  const request = {
    bbox: requireBounds(input.bbox),
    clip: input.clip_polygon ? validateArea(input.clip_polygon, 'clip_polygon') : null,
    max_points: input.max_points,
  }
  await requireFreeCollection(call, input.collection)
  const { points: found, value_label, count } = await readGranule(call, requireUrl(call, input.href), request)
  const points = subsamplePoints(found, request.max_points)
  return {
    points: [...points],
    value_label,
    value_range: findValueRange(points),
    count,
    returned: points.length,
    subsampled: points.length < count,
  }
})

function requireBounds(bbox: readonly number[]): GranuleRequest['bbox'] {
  if (isValidBounds(bbox)) return bbox
  throw validationProblem([
    { path: 'bbox', message: 'must be west, south, east, north in degrees, south not above north' },
  ])
}

function requireUrl(call: Call, href: string): URL {
  const url = URL.canParse(href, call.baseUrl) ? new URL(href, call.baseUrl) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url
  throw validationProblem([{ path: 'href', message: 'is not an http or https URL' }])
}

/** The collection must be free at a host: pixels of scenes for sale are delivered with an order. */
async function requireFreeCollection(call: Call, name: string): Promise<void> {
  const offered = (await readHostOffers(call)).flatMap(({ collections }) => collections.filter(({ id }) => id === name))
  if (offered.length === 0) throw new Problem('not-found', `No host offers the collection "${name}".`)
  if (offered.every(({ price }) => price !== null))
    throw new Problem('forbidden', `The scenes of "${name}" are for sale: order them to read their values.`)
}

async function readGranule(call: Call, url: URL, request: GranuleRequest): Promise<GranulePoints> {
  const readTable = pointTableReaders[posix.extname(url.pathname).slice(1).toLowerCase()]
  if (readTable) return readTablePoints(call, { url: url.href, readTable }, request)
  const { raster } = await openRasterAtUrl(call, url.href, 'measurement')
  return convertRasterFailures(() =>
    readRasterPoints(raster, request, { jobs: getCallerRasterJobRunner(call), signal: call.signal }),
  )
}

const max_table_bytes = 32 * 1024 * 1024
const table_timeout_ms = 15_000

async function readTablePoints(
  { integrations, signal }: Call,
  { url, readTable }: { readonly url: string; readonly readTable: (text: string) => GranulePointTable },
  request: GranuleRequest,
): Promise<GranulePoints> {
  const limits = { limit_bytes: max_table_bytes, timeout_ms: table_timeout_ms, signal }
  const response = await integrations.fetch(url, limits).catch((error: unknown) => {
    throw error instanceof SafeFetchFailure ? toFetchProblem(error) : error
  })
  if (response.status !== 200) throw new Problem('upstream', `The server of the granule answered ${response.status}.`)
  const { points, value_label } = readTable(new TextDecoder().decode(response.body))
  const isInside = createGranulePointFilter(request)
  const inside = points.filter(([longitude, latitude]) => isInside(longitude, latitude))
  return { points: inside, value_label, count: inside.length }
}
