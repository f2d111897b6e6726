import type { HostCollection, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { TaskingProduct } from '../../platform/integrations/tasking-host.ts'

/** The collections of a host, and one for each of its products for tasking that none of them describes. */
export function listCollectionsForSale(host: ImageryHost): HostCollection[] {
  const described = new Set(host.collections.map(({ id }) => id))
  const products = host.tasking?.products.filter(({ id }) => !described.has(id)) ?? []
  return [...host.collections, ...products.map((product) => toCollection(host, product))]
}

/** The product of a collection whose scenes are acquired on order; null for an archive. */
export const findTaskingProduct = ({ tasking }: ImageryHost, { id }: HostCollection): TaskingProduct | null =>
  tasking?.products.find((product) => product.id === id) ?? null

function toCollection(host: ImageryHost, { id, title, sensors, price, eula }: TaskingProduct): HostCollection {
  const pixels_m = host.tasking!.sensors.filter((sensor) => sensors.includes(sensor.id)).map(({ gsd_m }) => gsd_m)
  return {
    id,
    title,
    type: 'TASKING',
    data_type: 'optical',
    render_strategy: 'cog',
    gsd: pixels_m.length === 0 ? null : Math.min(...pixels_m),
    render_params: {},
    license: host.license,
    license_url: host.license_url,
    attribution: host.attribution,
    price,
    eula,
    queryables: [],
  }
}
