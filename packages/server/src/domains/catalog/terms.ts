import type { StacLink } from '@swath/contract/shapes/stac.ts'
import type { HostScene, ImageryHost } from '../../platform/outside/imagery-host.ts'
import { collectionOf } from './hosts.ts'

/** The attribution of a scene: that of its collection, with the scene's year. */
export function attributionOf(host: ImageryHost, scene: HostScene): string {
  const { attribution } = collectionOf(host, scene) ?? host
  return attribution.replaceAll('{year}', new Date(scene.datetime).toISOString().slice(0, 4))
}

/** A link to the licence text of a scene, titled with the purchased or open licence. */
export function licenceLink(host: ImageryHost, scene: HostScene, licence: string): StacLink {
  const collection = collectionOf(host, scene)
  const { license_url } = collection ?? host
  const product = collection?.price?.product
  const title = product === undefined ? `Licence ${licence}` : `Licence ${licence} of "${product}"`
  return { rel: 'license', href: license_url, type: 'text/html', title }
}
