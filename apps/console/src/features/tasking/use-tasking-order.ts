import { useState } from 'react'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { useOperation } from '../../api/use-operation.ts'
import { useOrganizationNow } from '../../api/use-organization-now.ts'
import type { TaskingChoices } from './tasking-url.ts'
import { toOpportunitiesInput, toWindow, type TaskingWindow } from './tasking-input.ts'
import type { TaskableProduct } from './tasking-products.ts'

/** The present of the organization and the passes of a request. */
export interface TaskingOrder {
  readonly now_ms: number
  readonly window: TaskingWindow
  readonly isWindowValid: boolean
  readonly passes: ReturnType<typeof useOperation<'orders.tasking.opportunities_list'>>
}

/** The passes of a request as far as it is complete; null without a product. */
export function useTaskingOrder(request: TaskingChoices, product: TaskableProduct | null): TaskingOrder | null {
  const present_ms = useOrganizationNow()
  // The present is that of the opening of the screen, or of a clock that was moved: passes are not requested every
  // minute.
  const [opened_ms] = useState(() => Date.now())
  const now_ms = present_ms === null ? null : Math.abs(present_ms - Date.now()) < 1000 ? opened_ms : present_ms
  const window = product && now_ms !== null ? toWindow(request, product, now_ms) : null
  const isWindowValid = window !== null && Date.parse(window.to) > Date.parse(window.from)
  const { area } = request
  const isAsked = product !== null && area !== null && window !== null && isWindowValid && fits(area, product)
  const input = isAsked ? toOpportunitiesInput(request, product, area, window) : { dataProduct: '-' }
  const passes = useOperation('orders.tasking.opportunities_list', input, { enabled: isAsked })
  return now_ms === null || !window ? null : { now_ms, window, isWindowValid, passes }
}

/** True for an area that the product takes. */
export const fits = (area: AreaGeometry, { min_area_km2, max_area_km2 }: TaskableProduct): boolean => {
  const km2 = geometryArea_km2(area)
  return km2 >= min_area_km2 && km2 <= max_area_km2
}
