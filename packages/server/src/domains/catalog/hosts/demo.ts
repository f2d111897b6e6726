import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HostRefusal, type HostFile, type ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { demoHostMetadata, type DemoHostMetadata } from './demo-products.ts'
import { renderQuicklook } from './demo-quicklook.ts'
import { toHostScene, readDemoScenes, type DemoScene } from './demo-scenes.ts'
import { searchDemoScenes } from './demo-search.ts'

/**
 * Two hosts over the bundled imagery: `open` (free) and `commercial` (priced). They deliver whole scenes immediately, as
 * unchanged copies of their files. They are stateless: the order reference contains the ordered scenes.
 */
export async function createDemoHosts(demoDir: URL | string): Promise<ImageryHost[]> {
  const folder = demoDir instanceof URL ? fileURLToPath(demoDir) : demoDir
  const scenes = await readDemoScenes(folder)
  return demoHostMetadata.map((metadata) =>
    createDemoHost(
      metadata,
      scenes.filter((scene) => scene.host === metadata.name),
      join(folder, 'scenes'),
    ),
  )
}

function createDemoHost(metadata: DemoHostMetadata, scenes: readonly DemoScene[], folder: string): ImageryHost {
  const byId = new Map(scenes.map((scene) => [scene.id, scene]))
  const quicklooks = new Map<string, Promise<Uint8Array>>()

  /** Rendered once; failures are not cached. Shared by all waiting callers, so no single caller's signal aborts it. */
  const getQuicklook = (scene: DemoScene): Promise<Uint8Array> => {
    const found = quicklooks.get(scene.id)
    if (found) return found
    const rendering = renderQuicklook(scene, folder)
    quicklooks.set(scene.id, rendering)
    rendering.catch(() => quicklooks.delete(scene.id))
    return rendering
  }

  return {
    ...metadata,
    delivers_later: false,
    search: async (search) => searchDemoScenes(scenes, search).map(toHostScene),
    async quicklook(id) {
      const scene = byId.get(id)
      return scene ? { bytes: await getQuicklook(scene), media_type: 'image/png' } : null
    },
    async place({ id, scenes: sceneIds }) {
      const unknown = sceneIds.find((entry) => !byId.has(entry))
      if (unknown !== undefined) throw new HostRefusal(`The host has no scene "${unknown}".`)
      return { reference: [id, ...sceneIds].join(' ') }
    },
    async deliveries(reference) {
      const [, ...sceneIds] = reference.split(' ')
      const found = sceneIds.map((entry) => byId.get(entry))
      const missing = found.indexOf(undefined)
      if (missing >= 0) return { state: 'refused', reason: `The host no longer has the scene "${sceneIds[missing]}".` }
      return { state: 'ready', files: found.flatMap((scene) => (scene ? listHostFiles(scene, folder) : [])) }
    },
  }
}

const listHostFiles = (scene: DemoScene, folder: string): readonly HostFile[] =>
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
