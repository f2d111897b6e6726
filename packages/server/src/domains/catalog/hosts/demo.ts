import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HostRefusal, type HostFile, type ImageryHost } from '../../../platform/outside/imagery-host.ts'
import { demoHostFacts, type DemoHostFacts } from './demo-products.ts'
import { drawQuicklookOf } from './demo-quicklook.ts'
import { hostSceneOf, readDemoScenes, type DemoScene } from './demo-scenes.ts'
import { searchScenes } from './demo-search.ts'

/**
 * Two hosts over the bundled imagery: `open` (free) and `commercial` (priced). They deliver whole scenes immediately, as
 * unchanged copies of their files. They are stateless: the order reference contains the ordered scenes.
 */
export async function demoHosts(demoDir: URL | string): Promise<ImageryHost[]> {
  const folder = demoDir instanceof URL ? fileURLToPath(demoDir) : demoDir
  const scenes = await readDemoScenes(folder)
  return demoHostFacts.map((facts) =>
    openDemoHost(
      facts,
      scenes.filter((scene) => scene.host === facts.name),
      join(folder, 'scenes'),
    ),
  )
}

function openDemoHost(facts: DemoHostFacts, scenes: readonly DemoScene[], folder: string): ImageryHost {
  const byId = new Map(scenes.map((scene) => [scene.id, scene]))
  const pictures = new Map<string, Promise<Uint8Array>>()

  /** Rendered once; failures are not cached. Shared by all waiting callers, so no single caller's signal aborts it. */
  const pictureOf = (scene: DemoScene): Promise<Uint8Array> => {
    const found = pictures.get(scene.id)
    if (found) return found
    const drawing = drawQuicklookOf(scene, folder)
    pictures.set(scene.id, drawing)
    drawing.catch(() => pictures.delete(scene.id))
    return drawing
  }

  return {
    ...facts,
    delivers_later: false,
    search: async (search) => searchScenes(scenes, search).map(hostSceneOf),
    async quicklook(id) {
      const scene = byId.get(id)
      return scene ? { bytes: await pictureOf(scene), media_type: 'image/png' } : null
    },
    async place({ id, scenes: wanted }) {
      const unknown = wanted.find((entry) => !byId.has(entry))
      if (unknown !== undefined) throw new HostRefusal(`The host has no scene "${unknown}".`)
      return { reference: [id, ...wanted].join(' ') }
    },
    async deliveries(reference) {
      const [, ...wanted] = reference.split(' ')
      const found = wanted.map((entry) => byId.get(entry))
      const missing = found.indexOf(undefined)
      if (missing >= 0) return { state: 'refused', reason: `The host no longer has the scene "${wanted[missing]}".` }
      return { state: 'ready', files: found.flatMap((scene) => (scene ? filesOf(scene, folder) : [])) }
    },
  }
}

const filesOf = (scene: DemoScene, folder: string): readonly HostFile[] =>
  scene.assets.flatMap(({ key, nodata, files }) =>
    files.map(({ path, bytes, sha256, bands }): HostFile => ({
      scene: scene.id,
      asset: key,
      file_name: basename(path),
      size: bytes,
      sha256,
      bands,
      ...(nodata === undefined ? {} : { nodata }),
      async download(localPath, signal) {
        signal.throwIfAborted()
        await copyFile(join(folder, path), localPath)
      },
    })),
  )
