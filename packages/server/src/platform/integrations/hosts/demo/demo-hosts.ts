import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ImageryHost } from '../../imagery-host.ts'
import { createArchiveHost, type RenderQuicklook } from '../archive/archive-host.ts'
import { openFolderSource } from '../archive/archive-source.ts'
import { demoHostMetadata } from './demo-products.ts'
import { readDemoScenes, toArchiveScene } from './demo-scenes.ts'

/**
 * Two archives over the bundled imagery: `open` (free) and `commercial` (priced). Their scenes are listed in one file,
 * because many consist of several files that share a grid, which items cannot express.
 */
export async function createDemoHosts(demoDir: URL | string, renderQuicklook: RenderQuicklook): Promise<ImageryHost[]> {
  const folder = demoDir instanceof URL ? fileURLToPath(demoDir) : demoDir
  const scenes = await readDemoScenes(folder)
  const source = openFolderSource(join(folder, 'scenes'))
  return demoHostMetadata.map((metadata) => {
    const listed = scenes.filter((scene) => scene.host === metadata.name).map(toArchiveScene)
    return createArchiveHost({ metadata, source, index: { scenes: async () => listed }, renderQuicklook })
  })
}
