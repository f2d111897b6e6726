import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SampleType } from '@swath/raster'
import { startJsonLinesProcess } from './json-lines-process.ts'
import { installGdal, createServeCommand, findPythonWithGdal } from './gdal.ts'

/** A source file that GDAL generates; see `make` in write-oracle.py. */
export interface MakeFileRequest {
  readonly name: string
  readonly type: SampleType
  readonly bands?: number
  readonly size?: readonly [width: number, height: number]
  readonly transform?: readonly number[]
  readonly crs?: string
  /** As text, because JSON has neither NaN nor infinities. */
  readonly nodata?: string
  readonly mask?: boolean
  readonly alpha?: boolean
  readonly palette?: boolean
  readonly point?: boolean
  /** Bands with scale, offset and unit. */
  readonly meaning?: boolean
  readonly seed?: number
  /** Creation options of GDAL's GTiff driver. */
  readonly options?: readonly string[]
}

export interface FileComparison {
  /** The two shapes if they differ; then the other members are absent. */
  readonly shapes: readonly [readonly number[], readonly number[]] | null
  readonly samples: number
  /** Pixels that are valid in one file only. */
  readonly masks: number
  readonly valid: number
  readonly different: number
  /** Samples whose difference exceeds the requested step. */
  readonly beyond: number
  readonly largest: number
  readonly mean: number
}

export interface WarpRequest {
  readonly files: readonly string[]
  readonly crs?: string
  readonly resampling?: string
  readonly bounds?: readonly number[]
  readonly size?: readonly number[]
  readonly area?: object
  readonly areaCrs?: string
  readonly alpha?: boolean
  readonly nodata?: number
  readonly options?: readonly string[]
}

export interface WarpedFile {
  readonly path: string
  readonly size: readonly number[]
  readonly transform: readonly number[]
}

/** Validation of written files by GDAL and numpy. */
export interface WriteValidator {
  readonly folder: string
  readonly make: (spec: MakeFileRequest) => Promise<string>
  readonly readMetadata: (file: string) => Promise<Readonly<Record<string, unknown>>>
  readonly statistics: (file: string) => Promise<{ readonly worst: number; readonly missing: readonly number[] }>
  readonly validate: (
    file: string,
  ) => Promise<{ readonly errors: readonly string[]; readonly warnings: readonly string[] }>
  readonly sameCrs: (
    file: string,
    epsg: number,
  ) => Promise<{ readonly same: boolean; readonly units: readonly number[] }>
  readonly translate: (file: string, options: readonly string[]) => Promise<string>
  readonly warp: (warpRequest: WarpRequest) => Promise<WarpedFile>
  readonly formula: (files: readonly string[], formula: string) => Promise<string>
  /** gdaldem with options of `gdal.DEMProcessing`. */
  readonly terrain: (file: string, measure: string, options: object) => Promise<string>
  readonly sieve: (
    file: string,
    options: { readonly band: number; readonly min_pixels: number; readonly connectedness: 4 | 8 },
  ) => Promise<string>
  /** gdal_pansharpen of all bands of a file, with bilinear resampling. */
  readonly pansharpen: (pan: string, spectral: string) => Promise<string>
  /** gdal_rasterize of areas in degrees and their values, one after the other. */
  readonly rasterize: (file: string, areas: readonly (readonly [area: object, value: number])[]) => Promise<string>
  /** The lengths of contours by level, in metres: of our GeoJSON, and of gdal_contour. */
  readonly contours: (
    file: string,
    ours: string,
    levels: { readonly interval: number; readonly base: number },
  ) => Promise<{ readonly levels: readonly (readonly [level: number, ours: number, theirs: number])[] }>
  /** Features and their area by value, of our GeoJSON and of gdal_polygonize; and how many of ours are not valid. */
  readonly polygons: (
    file: string,
    ours: string,
    options: { readonly band: number; readonly connectedness: 4 | 8 },
  ) => Promise<{
    readonly values: readonly (readonly [
      value: number,
      ours: readonly [features: number, area: number],
      theirs: readonly [features: number, area: number],
    ])[]
    readonly invalid: number
  }>
  readonly median: (files: readonly string[]) => Promise<string>
  readonly compare: (
    ours: string,
    theirs: string,
    options?: { readonly level?: number; readonly step?: number; readonly scaled?: boolean; readonly within?: string },
  ) => Promise<FileComparison>
  readonly stop: () => Promise<void>
}

/** Starts the validator. Throws if GDAL is not installed. */
export async function startWriteValidator(): Promise<WriteValidator> {
  const python = findPythonWithGdal()
  if (python === null) throw new Error(installGdal)
  const folder = await mkdtemp(join(tmpdir(), 'swath-write-'))
  const { request, stop } = startJsonLinesProcess(
    createServeCommand(python, new URL('./write-oracle.py', import.meta.url), folder),
  )
  const path = async (response: Promise<{ readonly path: string }>): Promise<string> => (await response).path
  return {
    folder,
    make: (spec) => path(request({ do: 'make', ...spec })),
    readMetadata: (file) => request({ do: 'facts', file }),
    statistics: (file) => request({ do: 'statistics', file }),
    validate: (file) => request({ do: 'validate', file }),
    sameCrs: (file, epsg) => request({ do: 'same_crs', file, epsg }),
    translate: (file, options) => path(request({ do: 'translate', file, options })),
    warp: (warpRequest) => request({ do: 'warp', ...warpRequest }),
    formula: (files, formula) => path(request({ do: 'formula', files, formula })),
    terrain: (file, measure, options) => path(request({ do: 'terrain', file, measure, options })),
    sieve: (file, options) => path(request({ do: 'sieve', file, ...options })),
    pansharpen: (pan, spectral) => path(request({ do: 'pansharpen', pan, spectral })),
    rasterize: (file, areas) => path(request({ do: 'rasterize', file, areas })),
    contours: (file, ours, levels) => request({ do: 'contours', file, ours, ...levels }),
    polygons: (file, ours, options) => request({ do: 'polygons', file, ours, ...options }),
    median: (files) => path(request({ do: 'median', files })),
    compare: (ours, theirs, { level = 0, step = 0, scaled = false, within } = {}) =>
      request({ do: 'compare', ours, theirs, level, step, scaled, within }),
    stop: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
