import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { formatSum } from '../../payments/describe-effect.ts'
import { PaymentDialog } from '../../payments/payment-dialog.tsx'
import { taskingTexts } from '../../texts/tasking.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatArea, formatPercent, formatTime } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { OverlayBoundary } from '../../ui/boundaries/overlay-boundary.tsx'
import { describeCancelRule } from './cancel-rule.ts'
import type { PassOption } from './passes.ts'
import type { TaskingChoices } from './tasking-url.ts'
import { toPlaceInput } from './tasking-input.ts'
import type { TaskableProduct } from './tasking-products.ts'
import { fits, type TaskingOrder } from './use-tasking-order.ts'
import typography from '../../ui/typography.module.css'
import layout from '../../ui/layout.module.css'

const words = taskingTexts

export interface TaskingFooterProps {
  readonly request: TaskingChoices
  readonly product: TaskableProduct
  readonly order: TaskingOrder
}

/** The rule of cancelling and the one button, which says the sum. */
export function TaskingFooter({ request, product, order }: TaskingFooterProps) {
  const { area } = request
  const passes = order.passes.data?.opportunities
  if (!area || !order.isWindowValid || !fits(area, product) || !passes?.length) return null
  return <OrderFooter request={request} product={product} order={order} area={area} passes={passes} />
}

interface OrderFooterProps extends TaskingFooterProps {
  readonly area: AreaGeometry
  readonly passes: readonly PassOption[]
}

function OrderFooter({ request, product, order, area, passes }: OrderFooterProps) {
  const [isPlacing, setPlacing] = useState(false)
  const isDirect = product.workflow === 'direct'
  // Only the prices of products without a later decision are needed now.
  const input = toPlaceInput(request, product, area, { window: order.window, max_credits: null })
  const estimate = useOperation('orders.tasking.estimate', { groups: input.groups.map((group) => ({ ...group, dataProduct: product.id })) }, { enabled: isDirect }) // prettier-ignore
  const price_credits = isDirect ? (estimate.data?.totalCredits ?? null) : 0
  const fault = estimate.data?.errors[0]
  const pass = passes.find(({ id }) => id === request.pass) ?? null
  const verb = describeVerb(product.workflow, price_credits)
  const terms = {
    price_credits: isDirect ? price_credits : null,
    cancelBy: pass?.cancelBy ?? null,
    now_ms: order.now_ms,
  }
  const rule = describeCancelRule(product, terms)
  return (
    <div className={`${layout['footer']} ${layout['stack8']}`}>
      <small>
        {pass
          ? words.chosenPass(pass.satellite ?? pass.sensor, formatTime(pass.acquisitionStart))
          : isDirect
            ? words.notChosen
            : words.later}
      </small>
      <small>{describeCancelRule(product, terms)}</small>
      {fault && (
        <p className={typography['bad']} role="alert">
          {fault.message}
        </p>
      )}
      {estimate.isError && <ProblemNote error={estimate.error} onRetry={() => void estimate.refetch()} />}
      <Button
        kind="primary"
        aria-haspopup="dialog"
        disabled={price_credits === null || fault !== undefined}
        onClick={() => price_credits !== null && !fault && setPlacing(true)}
      >
        {verb}
      </Button>
      {isPlacing && price_credits !== null && (
        <OverlayBoundary onClose={() => setPlacing(false)}>
          <PlaceDialog
            request={request}
            product={product}
            window={order.window}
            area={area}
            pass={pass}
            price_credits={price_credits}
            verb={verb}
            rule={rule}
            onClose={() => setPlacing(false)}
          />
        </OverlayBoundary>
      )}
    </div>
  )
}

function describeVerb(workflow: TaskableProduct['workflow'], price_credits: number | null): string {
  if (workflow === 'study') return words.askStudy
  if (workflow === 'quotation') return words.askQuotation
  return price_credits === null ? words.pricing : words.place(formatSum(price_credits))
}

/** The area, or the part of it that the chosen pass reaches, which is all that is charged. */
const describeReach = (area_km2: number, pass: PassOption | null): string =>
  pass && pass.coverage < 1
    ? words.part(formatArea(area_km2 * pass.coverage), formatPercent(pass.coverage * 100), formatArea(area_km2))
    : formatArea(area_km2)

interface PlaceDialogProps {
  readonly request: TaskingChoices
  readonly product: TaskableProduct
  readonly window: TaskingOrder['window']
  readonly area: AreaGeometry
  readonly pass: PassOption | null
  readonly price_credits: number
  readonly verb: string
  /** When the order can be cancelled. */
  readonly rule: string
  readonly onClose: () => void
}

/** The dialog before an order is paid: its content, and how it can be cancelled. */
function PlaceDialog(props: PlaceDialogProps) {
  const { request, product, window, area, pass, price_credits, verb, rule, onClose } = props
  const navigate = useNavigate()
  const isDirect = product.workflow === 'direct'
  const input = toPlaceInput(request, product, area, { window, max_credits: isDirect ? price_credits : null })
  const showOrder = ({ id }: { readonly id: string }): void =>
    void (isDirect
      ? navigate({ to: '/orders/$orderId', params: { orderId: id }, search: keepView })
      : navigate({ to: '/inbox', search: keepView }))
  return (
    <PaymentDialog
      title={words.dialog[product.workflow]}
      operation="orders.tasking.place"
      input={input}
      affected={['orders.list', 'orders.tasking.opportunities_list', 'orders.tasking.decisions.pending']}
      price_credits={price_credits}
      verb={verb}
      onDone={showOrder}
      onClose={onClose}
    >
      <Facts
        facts={[
          [words.facts.product, product.title],
          [words.facts.area, describeReach(geometryArea_km2(area), pass)],
          [words.facts.window, !pass && words.range(formatTime(window.from), formatTime(window.to))],
          [
            words.facts.pass,
            pass && words.chosenPass(pass.satellite ?? pass.sensor, formatTime(pass.acquisitionStart)),
          ],
          [words.facts.price, isDirect && formatSum(price_credits)],
          [words.facts.cancel, rule],
        ]}
      />
      <p>{isDirect ? words.onlyDelivered : words.later}</p>
    </PaymentDialog>
  )
}
