import { rasterHeadersServiceKey } from '../../tiles/raster-headers.ts'
import {
  createHeaderCachingSource,
  createOnDemandFileSource,
  openRaster,
  createRangedSource,
  type Raster,
} from '@swath/raster'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type {
  HostBand,
  HostCollection,
  HostFileLocation,
  HostScene,
  HostSceneFile,
  HostSceneFiles,
  ImageryHost,
} from '../../../platform/integrations/imagery-host.ts'
import { readBandMetadata } from '../../items/assets/read-raster-metadata.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import { createRasterReadBudget, withRasterReadBudget, type RasterReadBudget } from '../../items/search/read-limits.ts'
import { convertRasterFailures } from '../../tiles/failures.ts'
import { openRemoteRaster, computeRemoteContentTag, s3ToHttpsUrl } from '../../tiles/url/remote-raster.ts'
import { findHostCollection } from '../hosts.ts'

/** One band of one file of a scene. */
export interface SceneBand {
  readonly file: HostSceneFile
  /** 0-based, within the file. */
  readonly index: number
  readonly metadata: RasterBandMetadata
}

/** A scene of a host whose files can be read in place, with the bands of all files in one list. */
export interface SceneImage {
  readonly host: ImageryHost
  readonly collection: HostCollection | null
  readonly scene: HostScene
  readonly bands: readonly SceneBand[]
  /** Scenes for sale are shown no finer than their quicklook. */
  readonly is_preview: boolean
}

/** Describes the bands of a scene; opens a file only if its host does not describe it. Throws `unsupported-raster`. */
export async function describeSceneImage(
  call: Call,
  host: ImageryHost,
  { scene, files }: HostSceneFiles,
): Promise<SceneImage> {
  if (files.length === 0)
    throw new Problem(
      'unsupported-raster',
      `The files of the scene "${scene.id}" cannot be read before they are delivered.`,
    )
  const collection = findHostCollection(host, scene)
  const isSingle = files.length === 1
  const bands: SceneBand[] = []
  for (const file of files) {
    const described = isSingle ? await readFileBands(call, file) : file.bands.map(toBandMetadata)
    const known = described.length > 0 ? described : [toBandMetadata({ name: file.asset, common_name: null })]
    bands.push(...known.map((metadata, index) => ({ file, index, metadata })))
  }
  return { host, collection, scene, bands, is_preview: collection ? collection.price !== null : isCommercial(host) }
}

const isCommercial = ({ access_model }: ImageryHost): boolean => access_model === 'commercial'

const toBandMetadata = ({ name, common_name, categorical, classes, scale, offset }: HostBand): RasterBandMetadata => ({
  name,
  common_name,
  colour: 'undefined',
  scale: scale ?? 1,
  offset: offset ?? 0,
  statistics: null,
  ...(categorical ? { categorical } : {}),
  ...(classes ? { classes } : {}),
})

/** The bands of the file, with what the host says about them. */
async function readFileBands(call: Call, file: HostSceneFile): Promise<RasterBandMetadata[]> {
  const { raster } = await openSceneFile(call, file, createRasterReadBudget('opening'))
  return readBandMetadata(raster, file.bands).map((band, index) => {
    const { categorical, scale = band.scale, offset = band.offset } = file.bands[index] ?? {}
    return { ...band, scale, offset, ...(categorical ? { categorical } : {}) }
  })
}

export interface OpenedSceneFile {
  readonly raster: Raster
  /** Changes with the pixels; null for a remote file without an ETag. */
  readonly tag: string | null
}

/** Opens a file of a scene: on this machine, or by range requests of its host. */
export async function openSceneFile(
  call: Call,
  file: HostSceneFile,
  budget: RasterReadBudget,
): Promise<OpenedSceneFile> {
  const raster = await convertRasterFailures(() => openLocation(call, file, budget))
  const { location, nodata } = file
  const tag = contentTag(location) ?? computeRemoteContentTag(raster)
  return { raster: raster.nodata === null && nodata !== null ? { ...raster, nodata } : raster, tag }
}

function contentTag(location: HostFileLocation): string | null {
  if (location.kind === 'remote') return null
  return `${location.kind === 'local' ? location.path : location.id} ${location.version}`
}

function openLocation(call: Call, { location }: HostSceneFile, budget: RasterReadBudget): Promise<Raster> {
  const { processServices, clocks, signal, integrations } = call
  if (location.kind === 'remote') {
    const { url, fetch } = location
    const context = { processServices, clocks, signal, integrations: { ...integrations, fetch } }
    return openRemoteRaster(context, s3ToHttpsUrl(url), budget)
  }
  if (location.kind === 'object') return openObject(call, location, budget)
  const { path, version } = location
  return processServices
    .get(rasterHeadersServiceKey)
    .stored(call.blobs)
    .get({ id: path, etag: version }, async () =>
      openRaster(await createOnDemandFileSource(path, `${path} ${version}`)),
    )
}

/** A file in a bucket of the operator; that it cannot be read is a failure of its host. */
async function openObject(
  { processServices, blobs }: Call,
  { id, version, size, read }: Extract<HostFileLocation, { kind: 'object' }>,
  budget: RasterReadBudget,
): Promise<Raster> {
  const readOrFail: typeof read = async (offset, length, signal) => {
    try {
      return await read(offset, length, signal)
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw Object.assign(new Problem('upstream', 'The bucket of the host did not return the file.'), { cause })
    }
  }
  const raster = await processServices
    .get(rasterHeadersServiceKey)
    .stored(blobs)
    .get({ id, etag: version }, async () =>
      openRaster(createHeaderCachingSource(createRangedSource(`${id} ${version}`, size, readOrFail))),
    )
  return withRasterReadBudget(raster, budget)
}
