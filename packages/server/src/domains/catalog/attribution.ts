import type { StacLink } from '@swath/contract/schemas/stac.ts'
import type { HostScene, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { findHostCollection } from './hosts.ts'

/** The attribution of a scene: that of its collection, with the scene's year. */
export function buildSceneAttribution(host: ImageryHost, scene: HostScene): string {
  const { attribution } = findHostCollection(host, scene) ?? host
  return attribution.replaceAll('{year}', new Date(scene.datetime).toISOString().slice(0, 4))
}

/** A link to the licence text of a scene, titled with the purchased or open licence. */
export function buildLicenceLink(host: ImageryHost, scene: HostScene, licence: string): StacLink {
  const collection = findHostCollection(host, scene)
  const { license_url } = collection ?? host
  const product = collection?.price?.product
  const title = product === undefined ? `Licence ${licence}` : `Licence ${licence} of "${product}"`
  return { rel: 'license', href: license_url, type: 'text/html', title }
}
