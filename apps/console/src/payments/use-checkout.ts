import type { OutputOf, SpendWindow } from '@swath/client/operations.ts'
import { useOperation } from '../api/use-operation.ts'
import { usePrincipal } from '../api/use-principal.ts'
import { expectMode, type BillingMode } from './planned-entries.ts'

export interface Checkout {
  readonly mode: BillingMode
  readonly available_credits: number
  readonly held_credits: number
  /** The limits of the member; null while unknown. */
  readonly limits: SpendWindow | null
  /** The credits that the wallet lacks; 0 if another source pays. */
  readonly missing_credits: number
}

/** The balance, limits and expected payment source of a purchase. Null until they are loaded. */
export function useCheckout(price_credits: number): Checkout | null {
  const me = usePrincipal()
  const organization_id = me.data?.organization?.id
  const status = useOperation(
    'billing.status.get',
    { organization_id: organization_id ?? '' },
    { enabled: !!organization_id },
  )
  const spend = useOperation('organizations.members.spend.get', {})
  if (!me.data?.organization) return null
  const { available_credits, held_credits } = walletOf(me.data)
  const { plan, enterprise_billing } = me.data.organization
  const mode = expectMode({
    isEnterprise: enterprise_billing,
    plan,
    hasCard: status.data?.billing_status.has_default_payment_method ?? false,
    available_credits,
    price_credits,
  })
  const missing_credits = mode === 'credit' ? Math.max(0, price_credits - available_credits) : 0
  return { mode, available_credits, held_credits, limits: spend.data ?? null, missing_credits }
}

const walletOf = ({ wallet }: OutputOf<'users.me'>) => wallet ?? { available_credits: 0, held_credits: 0 }

export type LimitFault = 'order' | 'window'

/** The limit that a price would exceed. */
export function findExceededLimit(limits: SpendWindow | null, price_credits: number): LimitFault | null {
  if (!limits) return null
  if (limits.per_order_limit_credits !== null && price_credits > limits.per_order_limit_credits) return 'order'
  return limits.remaining_credits !== null && price_credits > limits.remaining_credits ? 'window' : null
}
