import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ShoppingCart, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { type CartLine, clearCart, useCart } from '../../cart/cart.ts'
import { useCheckout } from '../../payments/use-checkout.ts'
import { cartTexts } from '../../texts/cart.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Screen, Section } from '../../ui/screen.tsx'
import { OverlayBoundary } from '../../ui/boundaries/overlay-boundary.tsx'
import { CartFooter } from './cart-footer.tsx'
import { CartFootprints } from './cart-footprints.tsx'
import { CartLines } from './cart-lines.tsx'
import { commonLicences, toCaptures } from './cart-order.ts'
import { type CartChange, parseCartSearch } from './cart-search.ts'
import { DeliverySection } from './delivery-section.tsx'
import { MoneySection } from './money-section.tsx'
import { PlaceDialog } from './place-dialog.tsx'
import { keepView } from '../../map/keep-view.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CheckboxField } from '../../ui/field.tsx'
import typography from '../../ui/typography.module.css'

/** Whether the scenes of one date share one minimum area. */
const SplitChoice = ({ isSplit, onChange }: { isSplit: boolean; onChange: (isSplit: boolean) => void }) => (
  <CheckboxField
    label={
      <>
        {cartTexts.split}
        <br />
        <small className={typography['note']}>{cartTexts.splitHelp}</small>
      </>
    }
    checked={isSplit}
    onChange={onChange}
  />
)

/** Whether area that is held already is paid for again. */
const MissingChoice = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <CheckboxField
    label={
      <>
        {cartTexts.missing}
        <br />
        <small className={typography['note']}>{cartTexts.missingHelp}</small>
      </>
    }
    checked={isOn}
    onChange={onChange}
  />
)

const EmptyCart = () => (
  <Screen title={cartTexts.title}>
    <EmptyState icon={ShoppingCart} title={cartTexts.empty}>
      <p>{cartTexts.emptyHelp}</p>
      <Link to="/explore" search={keepView}>
        {cartTexts.toExplore}
      </Link>
    </EmptyState>
  </Screen>
)

/** The scenes that a person means to buy, their price and its effect on the wallet, up to the order. */
export function Cart() {
  const lines = useCart()
  return lines.length === 0 ? <EmptyCart /> : <FullCart lines={lines} />
}

function FullCart({ lines }: { lines: readonly CartLine[] }) {
  const { search, change } = useCartSearch()
  const isSplit = search.split ?? false
  const captures = toCaptures(lines)
  const priced = {
    captures,
    splitByDate: isSplit,
    ...(search.missing ? { exclude_owned: true } : {}),
    ...(search.missing && search.licence ? { licenseType: search.licence } : {}),
  }
  const estimate = useOperation('orders.archive.estimate', priced, { enabled: captures.length > 0 })
  const { data, refetch } = estimate
  const price_credits = data?.total_credits ?? 0
  const checkout = useCheckout(price_credits)
  const [isPlacing, setPlacing] = useState(false)
  const [hovered, setHovered] = useState<string | null>(null)
  const refresh = useCallback(() => void refetch(), [refetch])
  const licences = commonLicences(data?.lines ?? [])
  const delivery = {
    ...(search.project ? { projectId: search.project } : {}),
    ...(search.licence && licences.includes(search.licence) ? { licenseType: search.licence } : {}),
  }
  const hasErrors = captures.length < lines.length || (data?.errors.length ?? 0) > 0
  return (
    <Screen
      title={cartTexts.title}
      actions={
        <Button kind="quiet" icon={Trash2} onClick={clearCart}>
          {cartTexts.clear}
        </Button>
      }
    >
      <Section title={cartTexts.lines}>
        <CartLines lines={lines} estimate={data} isSplit={isSplit} hovered={hovered} onHover={setHovered} />
        {estimate.isError && <ProblemNote error={estimate.error} onRetry={refresh} retriesItself />}
        {lines.length > 1 && <SplitChoice isSplit={isSplit} onChange={(on) => change({ split: on || undefined })} />}
        <MissingChoice isOn={search.missing ?? false} onChange={(on) => change({ missing: on || undefined })} />
      </Section>
      <DeliverySection estimate={data} search={search} onChange={change} />
      {checkout && data && <MoneySection checkout={checkout} price_credits={price_credits} />}
      <CartFooter estimate={estimate} hasErrors={hasErrors} onRefresh={refresh} onBuy={() => setPlacing(true)} />
      {isPlacing && data && checkout && (
        <OverlayBoundary onClose={() => setPlacing(false)}>
          <PlaceDialog
            lines={lines}
            request={priced}
            delivery={delivery}
            estimate={data}
            checkout={checkout}
            onRefresh={refresh}
            onClose={() => setPlacing(false)}
          />
        </OverlayBoundary>
      )}
      <CartFootprints lines={lines} hovered={hovered} onHover={setHovered} />
    </Screen>
  )
}

/** The query parameters of the cart, and a function to change them. */
function useCartSearch() {
  const navigate = useNavigate()
  const search = parseCartSearch(useSearch({ strict: false }))
  const change = (part: CartChange): void => {
    void navigate({ to: '.', search: (previous: { v?: string }) => ({ ...previous, ...part }), replace: true })
  }
  return { search, change }
}
