import { day_ms } from '@swath/geo/time-units.ts'
import type { PriceGroup } from '@swath/contract/schemas/price.ts'
import { calculateCharge, creditsToAud } from '../../catalog/price.ts'
import type { HoldChargeLine } from '../../ledger/holds.ts'
import type { OrderRow } from '../store.ts'
import { computeCancelDeadline } from './find-opportunities.ts'
import type { TaskingOrderAreaRow } from './store.order-areas.ts'

type Terms = Pick<
  TaskingOrderAreaRow,
  | 'host'
  | 'product'
  | 'area_km2'
  | 'price'
  | 'list_price'
  | 'commitment_id'
  | 'credits'
  | 'cancel_hours'
  | 'cancel_fee_pct'
  | 'planned_at'
>

/** The price of each area as its order shows it. */
export const toPriceGroups = (groups: readonly Terms[]): PriceGroup[] =>
  groups.map(({ price, area_km2, credits }) => ({
    captures: [],
    aoi_km2: calculateCharge(price, area_km2).charged_km2,
    credits,
    aud: creditsToAud(credits),
  }))

/** Until when an order can be cancelled once its host has accepted it, and what that costs: the strictest of its areas. */
export function computeTaskingCancelTerms(
  groups: readonly Terms[],
): Pick<OrderRow, 'cancellable_until' | 'cancel_fee_credits' | 'cancel_by'> {
  if (groups.some(({ cancel_hours }) => cancel_hours === null))
    return { cancellable_until: 'PLACED', cancel_fee_credits: 0, cancel_by: null }
  const deadlines = groups.flatMap(({ cancel_hours, planned_at }) =>
    planned_at === null ? [] : (computeCancelDeadline({ hours_before_acquisition: cancel_hours }, planned_at) ?? []),
  )
  return {
    cancellable_until: 'BEING_FULFILLED',
    cancel_fee_credits: groups.reduce((sum, one) => sum + Math.ceil((one.credits * one.cancel_fee_pct) / 100), 0),
    cancel_by: deadlines.length === 0 ? null : new Date(Math.min(...deadlines.map((deadline) => deadline.getTime()))),
  }
}

/** The charge lines of an order, one per area in order. `today` is `YYYY-MM-DD`. */
export const toHostTaskChargeLines = (groups: readonly Terms[], today: string): HoldChargeLine[] =>
  groups.map((group) => toTaskLine(group, today))

function toTaskLine(group: Terms, today: string): HoldChargeLine {
  const { price, list_price, area_km2, credits } = group
  const charge = calculateCharge(price, area_km2)
  const common = {
    product: list_price.product,
    description: `tasking ${group.host}:${group.product}`,
    amount_credits: credits,
    commitment_id: group.commitment_id,
    priced_on: list_price.valid_from ?? today,
  }
  // A price of an option or a quotation is that of the task, whatever its area.
  if (credits !== charge.credits) {
    return {
      ...common,
      unit: 'task',
      measured_quantity: '1',
      charged_quantity: '1',
      minimum_quantity: '0',
      list_rate_credits: String(credits),
      rate_credits: String(credits),
      discount_credits: 0,
      commitment_id: null,
    }
  }
  return {
    ...common,
    unit: 'km2',
    measured_quantity: String(area_km2),
    charged_quantity: String(charge.charged_km2),
    minimum_quantity: String(price.minimum_km2),
    list_rate_credits: String(list_price.rate_credits),
    rate_credits: String(price.rate_credits),
    discount_credits: Math.max(0, calculateCharge(list_price, area_km2).credits - credits),
  }
}

/** Divides a price by area, as integers; the last area takes the remainder. */
export function divideCreditsByArea(
  groups: readonly Pick<TaskingOrderAreaRow, 'area_km2'>[],
  credits: number,
): number[] {
  const total_km2 = groups.reduce((sum, { area_km2 }) => sum + area_km2, 0)
  let remaining_credits = credits
  return groups.map(({ area_km2 }, index) => {
    const share = index === groups.length - 1 ? remaining_credits : Math.floor((credits * area_km2) / total_km2)
    remaining_credits -= share
    return share
  })
}

/** The duration of the hold of an order: to the end of its windows, and then as long as any hold. */
export const computeHoldLifetime_days = (
  groups: readonly Pick<TaskingOrderAreaRow, 'constraints'>[],
  now: Date,
): number =>
  30 + Math.max(0, ...groups.map(({ constraints }) => Math.ceil((Date.parse(constraints.to) - now.getTime()) / day_ms)))
