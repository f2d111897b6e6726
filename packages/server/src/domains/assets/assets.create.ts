import { assetsCreate } from '@swath/contract/operations/assets.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { invariant, validationProblem, type Fault } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { requireItem } from '../items/access.ts'
import type { AddedAsset } from '../items/add-item.ts'
import { attachAsset } from '../items/attach-asset.ts'
import { assetOf } from '../items/item.ts'
import { fetchableAddress, outsideRaster } from '../items/outside-raster.ts'
import { openBudget } from '../items/read-limits.ts'
import { rasterFactsOf } from '../items/read-raster-facts.ts'
import type { RasterFacts } from '../items/raster-facts.ts'
import { unknownType } from '../items/stac-asset.ts'
import { fitCommon } from '../items/stac-in/fit-common.ts'
import { fitFields } from '../items/stac-in/fields.ts'
import { findAsset } from '../items/store.assets.ts'
import { keepProjectOpen } from '../projects/access.ts'
import { withProblems } from '../rendering/failures.ts'
import { requireRoom } from '../uploads/reservation.ts'

/** Media type by the file extension of the URL. */
const endings: Readonly<Record<string, string>> = {
  tif: 'image/tiff; application=geotiff',
  tiff: 'image/tiff; application=geotiff',
  jp2: 'image/jp2',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  json: 'application/json',
  geojson: 'application/geo+json',
  xml: 'application/xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  txt: 'text/plain',
}

export const createAsset = handler(assetsCreate, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'write')
  const url = readHref(input.href)
  const media_type = input.media_type ?? typeOf(url)
  const raster = input.read && /^image\/tiff\b/i.test(media_type) ? await readRaster(call, url) : null
  const id = newId()
  const asset: AddedAsset = {
    id,
    key: input.key,
    title: input.title ?? null,
    blob_path: null,
    external_href: input.href,
    media_type,
    roles: [...new Set(input.roles ?? ['data'])],
    file_size_bytes: null,
    checksum_sha256: null,
    raster,
    stac: {
      ...furtherMembers(input.properties ?? {}),
      ...(input.description ? { description: input.description } : {}),
    },
  }

  return call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, item.project_id)
    await attachAsset(tx, call, item.id, asset)
    await requireRoom(tx, call.organization)
    const row = await findAsset(tx, call.organization, item.id, id)
    invariant(row, 'the asset was inserted in this transaction')
    return assetOf(row, call.baseUrl)
  })
})

function readHref(href: string): URL {
  const faults: Fault[] = []
  const url = URL.canParse(href) ? new URL(href) : null
  if (!url || !['https:', 's3:'].includes(url.protocol) || url.hostname === '' || /\s/.test(href)) {
    faults.push({ path: 'href', message: 'is not an https or s3 URL' })
  } else if (url.username || url.password) {
    faults.push({ path: 'href', message: 'contains credentials, which every reader of the item would see' })
  }
  if (!url || faults.length > 0) throw validationProblem(faults)
  return url
}

const typeOf = ({ pathname }: URL): string => {
  const ending = /\.([a-z0-9]+)$/i.exec(pathname)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(endings, ending) ? endings[ending]! : unknownType
}

/** Raster metadata from the header of the remote file. */
async function readRaster(call: Call, url: URL): Promise<RasterFacts> {
  const raster = await withProblems(() => outsideRaster(call, fetchableAddress(url.href), openBudget('opening')))
  return withProblems(async () => rasterFactsOf(raster))
}

/** STAC asset members that have no input field of their own, normalized to the extension schemas. */
function furtherMembers(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { href: _, type: __, title: ___, roles: ____, description: _____, ...members } = given
  fitFields(members)
  fitCommon(members)
  return members
}
