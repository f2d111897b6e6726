import type { InputOf, TaskingTemplate } from '@swath/client/operations.ts'
import type { TaskingChoices } from './tasking-url.ts'
import type { TaskableProduct } from './tasking-products.ts'

/** The sensor of a template that does not name one of a product. */
const anySensor = 'optical'

/** A request as a template: its product is identified by its resolution, and 0 is no constraint. */
export const toTemplate = (
  name: string,
  product: TaskableProduct,
  request: TaskingChoices,
): InputOf<'orders.tasking.templates.save'> => ({
  name,
  resolution: product.resolution,
  sensor: request.sensor ?? anySensor,
  capture_frequency: 'once',
  datum: 'WGS84',
  file_format: 'COG',
  max_cloud_coverage: request.maxCloud ?? 0,
  max_nadir_angle: request.maxOffNadir ?? 0,
})

/** The changes of a request by a template; a product of its resolution is chosen if there is one. */
export function applyTemplate(
  { resolution, sensor, max_cloud_coverage, max_nadir_angle }: TaskingTemplate,
  products: readonly TaskableProduct[],
): Partial<TaskingChoices> {
  const product = products.find((one) => one.resolution === resolution)
  return {
    ...(product
      ? { product: product.id, sensor: product.sensors.some(({ id }) => id === sensor) ? sensor : null }
      : {}),
    maxCloud: max_cloud_coverage || null,
    maxOffNadir: max_nadir_angle || null,
  }
}
