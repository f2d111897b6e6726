/**
 * What lives as long as the process and is shared by its calls and tasks: thread pools, workers and caches. The composition root
 * makes it. Modules add their own members by declaration merging, because the engine knows no module:
 *
 *     declare module '../../engine/process-services.ts' {
 *       interface ProcessServices {
 *         readonly rasters: RasterService
 *       }
 *     }
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- members are merged in by modules
export interface ProcessServices {}
