import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listEulaAgreements } from '../../src/domains/eulas/agreements.ts'
import { createOrganizationClocks } from '../../src/platform/clock.ts'
import { toHostEula, type HostEulaConfigEntry } from '../../src/platform/integrations/hosts/eula-entry.ts'

/** A file of hosts with a product that needs a licence agreement; its archive has no scenes. */
export const licensedHostsFile = fileURLToPath(new URL('licensed-hosts.json', import.meta.url))

interface HostsDocument {
  readonly hosts: readonly [{ readonly name: string; readonly eulas: readonly HostEulaConfigEntry[]; folder: string }]
}

const readDocument = async (): Promise<HostsDocument> =>
  JSON.parse(await readFile(licensedHostsFile, 'utf8')) as HostsDocument

/** The ids of the agreement of that file, and of its newest document. */
export async function readLicensedEulaIds(): Promise<{ eula_id: string; document_id: string }> {
  const { hosts } = await readDocument()
  const { name, eulas } = hosts[0]
  const now = createOrganizationClocks({ now: () => new Date() })
    .forOrganization('any')
    .now()
  const [agreement] = listEulaAgreements([{ name, eulas: eulas.map(toHostEula) }], now)
  return { eula_id: agreement!.id, document_id: agreement!.documents[0]!.id }
}

const demo = new URL('../../demo/', import.meta.url)

interface DemoScene {
  readonly id: string
  readonly datetime: string
  readonly bbox: readonly number[]
  readonly geometry: object
  readonly assets: readonly { readonly files: readonly { readonly path: string }[] }[]
}

/**
 * Writes a file of hosts like `licensedHostsFile`, with one scene for each collection and these versions of the agreement.
 * Returns its path.
 */
export async function writeLicensedArchive(
  folder: string,
  documents: HostEulaConfigEntry['documents'],
): Promise<string> {
  const { hosts } = await readDocument()
  const [host] = hosts
  const path = join(folder, 'hosts.json')
  const changed = { ...host, folder: 'scenes', eulas: host.eulas.map((eula) => ({ ...eula, documents })) }
  await writeFile(path, JSON.stringify({ hosts: [changed] }))
  await mkdir(join(folder, 'scenes'))
  const { scenes } = JSON.parse(await readFile(new URL('scenes.json', demo), 'utf8')) as { scenes: DemoScene[] }
  const scene = scenes.find(({ id }) => id === 'naip-va-17n')!
  await copyFile(new URL(`scenes/${scene.assets[0]!.files[0]!.path}`, demo), join(folder, 'scenes', 'scene.tif'))
  for (const collection of ['survey', 'samples']) {
    await writeFile(join(folder, 'scenes', `${collection}.json`), JSON.stringify(toItem(scene, collection)))
  }
  return path
}

/** An item whose id is that of its collection. */
const toItem = ({ geometry, bbox, datetime }: DemoScene, collection: string) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id: collection,
  collection,
  geometry,
  bbox,
  properties: { datetime, gsd: 1 },
  links: [],
  assets: { data: { href: 'scene.tif', type: 'image/tiff; application=geotiff', roles: ['data'] } },
})
