import { join } from 'node:path'
import { transformWithOxc, type Plugin } from 'vite'

const sources = join(import.meta.dirname, '../../node_modules/maplibre-gl/src')
const library = 'maplibre-gl'
const workerAddress = 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
const workerModule = '\0map-worker'

/**
 * Builds MapLibre from the sources in its package instead of taking its two finished files: the one of the page and the one of
 * its worker repeat a hundred compressed kilobytes, which as modules of one build are a file that both load.
 */
export const shareMapWorker = (): Plugin => ({
  name: 'share-map-worker',
  // The development server takes the finished files: hundreds of modules would be hundreds of requests.
  apply: 'build',
  enforce: 'pre',
  resolveId(id) {
    return { [library]: join(sources, 'index.ts'), [workerAddress]: workerModule }[id]
  },
  load(id) {
    if (id !== workerModule) return undefined
    const worker = this.emitFile({ type: 'chunk', id: join(sources, 'source/worker.ts'), name: 'maplibre-gl-worker' })
    return `export default import.meta.ROLLUP_FILE_URL_${worker}`
  },
  // As the finished files were compiled: a declared field does not hide a value set by the constructor of its base
  // class.
  async transform(code, id) {
    if (!id.startsWith(sources)) return undefined
    const { code: javascript, map } = await transformWithOxc(code, id, {
      assumptions: { setPublicClassFields: true },
      typescript: { removeClassFieldsWithoutInitializer: true },
    })
    return { code: javascript, map, moduleType: 'js' }
  },
  generateBundle(_, bundle) {
    const worker = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'maplibre-gl-worker')
    const files = worker?.type === 'chunk' ? [worker.fileName, ...worker.imports] : []
    const modules = files.flatMap((name) => {
      const file = bundle[name]
      return file?.type === 'chunk' ? file.moduleIds : []
    })
    // A part of the console would run a second time in the worker, without a document.
    const foreign = modules.filter((id) => !id.includes('node_modules') && !id.startsWith('\0'))
    if (modules.length === 0 || foreign.length > 0) this.error(`The worker of the map contains: ${foreign.join(', ')}`)
  },
})
