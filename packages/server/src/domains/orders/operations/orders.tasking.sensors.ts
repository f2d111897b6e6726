import { ordersTaskingSensorsOperation } from '@swath/contract/operations/orders.tasking.ts'
import type { TaskingSensor } from '@swath/contract/schemas/tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import type { ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import type { TaskingSensorDescription } from '../../../platform/integrations/tasking-host.ts'
import { readRatesOfCaller, type PriceRates } from '../../contracts/rates.ts'
import {
  applyTermsToOffer,
  describeTaskingProduct,
  listTaskingOffers,
  toTaskingParamsSchema,
  type TaskingOffer,
} from '../tasking/tasking-products.ts'

export const handler = defineHandler(ordersTaskingSensorsOperation, async (call) => {
  const rates = await readRatesOfCaller(call)
  const offers = listTaskingOffers(call.integrations).flatMap((offer) => applyTermsToOffer(offer, rates.products) ?? [])
  const sensors = [...call.integrations.hosts.values()].flatMap((host) =>
    (host.tasking?.sensors ?? []).map((sensor) => toTaskingSensor({ host, sensor, offers, rates })),
  )
  return toCompleteList('sensors', sensors)
})

interface SensorContext {
  readonly host: ImageryHost
  readonly sensor: TaskingSensorDescription
  readonly offers: readonly TaskingOffer[]
  readonly rates: PriceRates
}

function toTaskingSensor({ host, sensor, offers, rates }: SensorContext): TaskingSensor {
  const own = offers.filter((offer) => offer.host.name === host.name && offer.product.sensors.includes(sensor.id))
  return {
    id: sensor.id,
    title: sensor.title,
    provider: sensor.provider,
    resolution: sensor.gsd_m < 1 ? `${Math.round(sensor.gsd_m * 100)}cm` : `${sensor.gsd_m}m`,
    bands: sensor.bands.map(({ name }) => name),
    data_products: own.map(({ id }) => id),
    params_schema: { ...toTaskingParamsSchema([sensor.id]) },
    host: host.name,
    satellites: [...sensor.satellites],
    gsd_m: sensor.gsd_m,
    swath_km: sensor.swath_km,
    max_off_nadir_deg: sensor.max_off_nadir_deg,
    products: own.map((offer) => describeTaskingProduct(offer, rates)),
  }
}
