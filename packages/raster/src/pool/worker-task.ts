import type { MessagePort } from 'node:worker_threads'
import type { RasterFailureKind } from '../failures.ts'
import type { Raster } from '../types.ts'
import type { RasterJobName } from './jobs.ts'

/** The files that may lie beside the one of a raster. */
export const sidecarFiles = ['maskSource', 'overviewSource', 'maskOverviewSource'] as const
export type SidecarFile = (typeof sidecarFiles)[number]

/** A raster as it travels to a worker: everything but the functions of its source. */
export interface RasterDescriptor extends Omit<Raster, 'source' | SidecarFile> {
  /** The same for the same opened file, so that a worker need not learn it again. */
  readonly file: number
  readonly source: SourceDescriptor
  readonly sides: Readonly<Partial<Record<SidecarFile, SourceDescriptor>>>
}

export interface SourceDescriptor {
  /** Its place among the sources of the task. */
  readonly number: number
  readonly id: string
  readonly size: number | undefined
  readonly etag?: string
  /** Of a local file, which the worker opens by itself. */
  readonly path?: string
}

/** One piece of work for a worker. */
export interface WorkerTask {
  readonly job: RasterJobName
  readonly rasters: readonly RasterDescriptor[]
  readonly request: unknown
  /** One number, 0 until the caller gives up. */
  readonly cancelled: Int32Array<SharedArrayBuffer>
  /** Port that reads the sources that the worker cannot open; null if it can open all. */
  readonly port: MessagePort | null
}

/** The result of a worker: a value, or a failure as text, which can be posted to another thread. */
export type WorkerResult =
  | { readonly value: unknown }
  | { readonly failure: { readonly kind: RasterFailureKind; readonly message: string } }

/** A worker's request for bytes of the n-th source of its task. */
export interface SourceReadRequest {
  readonly id: number
  readonly source: number
  readonly offset: number
  readonly length: number
}

/** The bytes, or null where they could not be had. */
export interface SourceReadResponse {
  readonly id: number
  readonly bytes: Uint8Array | null
}
