import type { TaskingSensor } from '@swath/client/operations.ts'

export type ProductTerms = TaskingSensor['products'][number]

/** A product with the sensors that acquire it. */
export interface TaskableProduct extends ProductTerms {
  readonly host: string
  readonly sensors: readonly TaskingSensor[]
  /** The resolution of its finest sensor, as templates name it. */
  readonly resolution: string
}

/** The products of all sensors, each once; the finest first. */
export function listProducts(sensors: readonly TaskingSensor[]): readonly TaskableProduct[] {
  const ids = new Set(sensors.flatMap(({ data_products }) => data_products))
  return [...ids]
    .map((id) => {
      const own = sensors
        .filter(({ data_products }) => data_products.includes(id))
        .toSorted((left, right) => left.gsd_m - right.gsd_m)
      const product = own[0]!.products.find((one) => one.id === id)!
      return { ...product, host: own[0]!.host, sensors: own, resolution: own[0]!.resolution }
    })
    .toSorted((left, right) => left.sensors[0]!.gsd_m - right.sensors[0]!.gsd_m)
}

export const findProduct = (products: readonly TaskableProduct[], id: string | null): TaskableProduct | null =>
  products.find((product) => product.id === id || product.name === id) ?? null
