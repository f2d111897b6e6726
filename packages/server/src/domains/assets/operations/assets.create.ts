import { assetsCreateOperation } from '@swath/contract/operations/assets.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant, validationProblem, type FieldError } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { requireItem } from '../../items/access.ts'
import type { AssetToAdd } from '../../items/add-item.ts'
import { attachAsset } from '../../items/assets/attach-asset.ts'
import { toAsset } from '../../items/item.ts'
import { s3ToHttpsUrl, openRemoteRaster } from '../../tiles/url/remote-raster.ts'
import { createRasterReadBudget } from '../../items/search/read-limits.ts'
import { readRasterMetadata } from '../../items/assets/read-raster-metadata.ts'
import type { RasterMetadata } from '../../items/assets/raster-metadata.ts'
import { defaultMediaType } from '../../items/stac/stac-asset.ts'
import { normalizeCommonMetadata } from '../../items/stac/import/normalize-common-metadata.ts'
import { normalizeExtensionFields } from '../../items/stac/import/normalize-extension-fields.ts'
import { findAsset } from '../../items/assets/store.assets.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { convertRasterFailures } from '../../tiles/failures.ts'
import { requireStorageWithinQuota } from '../../uploads/reservation.ts'

/** Media type by the file extension of the URL. */
const mediaTypeByExtension: Readonly<Record<string, string>> = {
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

export const handler = defineHandler(assetsCreateOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'write')
  const url = parseHref(call, input.href)
  const media_type = input.media_type ?? guessMediaType(url)
  const raster = input.read && /^image\/tiff\b/i.test(media_type) ? await readRemoteRasterMetadata(call, url) : null
  const id = newId()
  const asset: AssetToAdd = {
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
      ...normalizeStacMembers(input.properties ?? {}),
      ...(input.description ? { description: input.description } : {}),
    },
  }

  return call.transaction(async (tx) => {
    await lockOpenProject(tx, call, item.project_id)
    await attachAsset(tx, call, item.id, asset)
    await requireStorageWithinQuota(tx, call.organization)
    const row = await findAsset(tx, call.organization, item.id, id)
    assertInvariant(row, 'the asset was inserted in this transaction')
    return toAsset(row, call.baseUrl)
  })
})

/** Throws `validation` for a URL that other readers of the item must not be sent to. */
function parseHref({ integrations }: Pick<Call, 'integrations'>, href: string): URL {
  const errors: FieldError[] = []
  const url = URL.canParse(href) ? new URL(href) : null
  if (!url || !['https:', 's3:'].includes(url.protocol) || url.hostname === '' || /\s/.test(href)) {
    errors.push({ path: 'href', message: 'is not an https or s3 URL' })
  } else if (url.username || url.password) {
    errors.push({ path: 'href', message: 'contains credentials, which every reader of the item would see' })
  } else if (integrations.isInternalUrl(url.href)) {
    errors.push({ path: 'href', message: 'is a URL of an internal host' })
  }
  if (!url || errors.length > 0) throw validationProblem(errors)
  return url
}

const guessMediaType = ({ pathname }: URL): string => {
  const extension = /\.([a-z0-9]+)$/i.exec(pathname)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(mediaTypeByExtension, extension) ? mediaTypeByExtension[extension]! : defaultMediaType
}

/** Raster metadata from the header of the remote file. */
async function readRemoteRasterMetadata(call: Call, url: URL): Promise<RasterMetadata> {
  const raster = await convertRasterFailures(() =>
    openRemoteRaster(call, s3ToHttpsUrl(url.href), createRasterReadBudget('opening')),
  )
  return convertRasterFailures(async () => readRasterMetadata(raster))
}

/** STAC asset members that have no input field of their own, normalized to the extension schemas. */
function normalizeStacMembers(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { href: _, type: __, title: ___, roles: ____, description: _____, ...members } = properties
  normalizeExtensionFields(members)
  normalizeCommonMetadata(members)
  return members
}
