import type { SampleType } from '@swath/raster'
import { startGdalProgram } from './gdal.ts'

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

interface WarpRequest {
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

interface WarpedFile {
  readonly path: string
  readonly size: readonly number[]
  readonly transform: readonly number[]
}

/** Validation of written files by GDAL and numpy. */
export type WriteValidator = Awaited<ReturnType<typeof startWriteValidator>>

interface PolygonOptions {
  readonly band: number
  readonly connectedness: 4 | 8
}

type Count = readonly [features: number, area: number]

/** Starts the validator. Throws if GDAL is not installed. */
export async function startWriteValidator() {
  const program = await startGdalProgram('./write-oracle.py')
  const { request } = program
  const write = async (message: { readonly do: string } & Readonly<Record<string, unknown>>): Promise<string> =>
    (await request<{ readonly path: string }>(message)).path
  return {
    ...program,
    make: (spec: MakeFileRequest) => write({ do: 'make', ...spec }),
    readMetadata: (file: string) => request<Readonly<Record<string, unknown>>>({ do: 'facts', file }),
    statistics: (file: string) =>
      request<{ readonly worst: number; readonly missing: readonly number[] }>({ do: 'statistics', file }),
    validate: (file: string) =>
      request<{ readonly errors: readonly string[]; readonly warnings: readonly string[] }>({ do: 'validate', file }),
    sameCrs: (file: string, epsg: number) =>
      request<{ readonly same: boolean; readonly units: readonly number[] }>({ do: 'same_crs', file, epsg }),
    translate: (file: string, options: readonly string[]) => write({ do: 'translate', file, options }),
    warp: (warpRequest: WarpRequest) => request<WarpedFile>({ do: 'warp', ...warpRequest }),
    formula: (files: readonly string[], formula: string) => write({ do: 'formula', files, formula }),
    /** gdaldem with options of `gdal.DEMProcessing`. */
    terrain: (file: string, measure: string, options: object) => write({ do: 'terrain', file, measure, options }),
    sieve: (file: string, options: PolygonOptions & { readonly min_pixels: number }) =>
      write({ do: 'sieve', file, ...options }),
    /** gdal_pansharpen of all bands of a file, with bilinear resampling. */
    pansharpen: (pan: string, spectral: string) => write({ do: 'pansharpen', pan, spectral }),
    /** gdal_rasterize of areas in degrees and their values, one after the other. */
    rasterize: (file: string, areas: readonly (readonly [area: object, value: number])[]) =>
      write({ do: 'rasterize', file, areas }),
    /** The lengths of contours by level, in metres: of our GeoJSON, and of gdal_contour. */
    contours: (file: string, ours: string, levels: { readonly interval: number; readonly base: number }) =>
      request<{ readonly levels: readonly (readonly [level: number, ours: number, theirs: number])[] }>({
        do: 'contours',
        file,
        ours,
        ...levels,
      }),
    /** Features and their area by value, of our GeoJSON and of gdal_polygonize; and how many of ours are not valid. */
    polygons: (file: string, ours: string, options: PolygonOptions) =>
      request<{
        readonly values: readonly (readonly [value: number, ours: Count, theirs: Count])[]
        readonly invalid: number
      }>({ do: 'polygons', file, ours, ...options }),
    median: (files: readonly string[]) => write({ do: 'median', files }),
    compare: (ours: string, theirs: string, { level = 0, step = 0, scaled = false, within }: ComparisonOptions = {}) =>
      request<FileComparison>({ do: 'compare', ours, theirs, level, step, scaled, within }),
  }
}

interface ComparisonOptions {
  readonly level?: number
  readonly step?: number
  readonly scaled?: boolean
  readonly within?: string
}
