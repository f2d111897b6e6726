/**
 * Services that live as long as the process and are shared by its calls and tasks: thread pools, workers and caches.
 * The composition root creates them. Modules add their own members by declaration merging, because the engine knows no
 * module:
 *
 *     declare module '../../engine/process-services.ts' {
 *       interface ProcessServices {
 *         readonly rasters: RasterService
 *       }
 *     }
 */
export interface ProcessServices {
  /** The URL under which clients reach the server, without a trailing slash, for links that no request is the context of. */
  readonly publicUrl: string
}
