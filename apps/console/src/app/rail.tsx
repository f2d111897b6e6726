import { Link, useLocation } from '@tanstack/react-router'
import {
  Code2,
  FlaskConical,
  FolderOpen,
  Inbox,
  Satellite,
  Search,
  ShieldCheck,
  ShoppingBag,
  ShoppingCart,
  Telescope,
  Terminal,
  Users,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { usePrincipal } from '../api/use-principal.ts'
import { useCart } from '../cart/cart.ts'
import { keepView } from '../map/keep-view.ts'
import { frameTexts } from '../texts/frame.ts'
import { formatCredits } from '../ui/format.ts'
import { ErrorBoundary } from '../ui/boundaries/error-boundary.tsx'
import styles from './rail.module.css'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

export interface Place {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** Shown to operators of the platform. */
  readonly isForOperators?: boolean
}

/** The places of the console, in the order of the rail; a place is added with its screen. */
const allPlaces: readonly Place[] = [
  { path: '/explore', label: frameTexts.places.explore, icon: Search },
  { path: '/tasking', label: frameTexts.places.tasking, icon: Satellite },
  { path: '/cart', label: frameTexts.places.cart, icon: ShoppingCart },
  { path: '/orders', label: frameTexts.places.orders, icon: ShoppingBag },
  { path: '/library', label: frameTexts.places.library, icon: FolderOpen },
  { path: '/analyse', label: frameTexts.places.analyse, icon: FlaskConical },
  { path: '/watch', label: frameTexts.places.watch, icon: Telescope },
  { path: '/inbox', label: frameTexts.places.inbox, icon: Inbox },
  { path: '/money', label: frameTexts.places.money, icon: Wallet },
  { path: '/team', label: frameTexts.places.team, icon: Users },
  { path: '/build', label: frameTexts.places.build, icon: Code2 },
  { path: '/admin', label: frameTexts.places.admin, icon: ShieldCheck, isForOperators: true },
]

/** The places of a person. */
export function usePlaces(): readonly Place[] {
  const { data: me } = usePrincipal()
  const isOperator = me?.scopes.some((scope) => scope === '*' || scope.startsWith('admin:')) ?? false
  return allPlaces.filter(({ isForOperators }) => isOperator || !isForOperators)
}

/** The count needs several reads, so it is loaded after the first screen. */
const InboxCount = lazy(() => import('./inbox-count.tsx').then((module) => ({ default: module.InboxCount })))

export interface RailProps {
  readonly onOpenPalette: () => void
  /** The account menu. */
  readonly children: ReactNode
}

export function Rail({ onOpenPalette, children }: RailProps) {
  const list = useRef<HTMLUListElement>(null)
  const { pathname } = useLocation()
  const places = usePlaces()
  // On small screens the places are wider than the bar. That of operators is there when their scopes have been read.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname, places.length])
  return (
    <nav className={`${layout['column']} ${styles['rail']}`} aria-label={frameTexts.product}>
      <ul ref={list} className={`${layout['column']} ${layout['gap4']} ${styles['places']}`}>
        {places.map((place) => (
          <li key={place.path}>
            <PlaceLink {...place}>{badges[place.path]?.()}</PlaceLink>
          </li>
        ))}
      </ul>
      <div className={`${layout['column']} ${layout['gap4']} ${styles['tools']}`}>
        <button
          type="button"
          className={styles['place']}
          aria-keyshortcuts="Control+K Meta+K"
          aria-haspopup="dialog"
          onClick={onOpenPalette}
        >
          <Terminal size={20} aria-hidden />
          <span className={`${layout['raised']} ${typography['oneLine']} ${typography['normal']} ${layout['box']}`}>
            {frameTexts.commands}
          </span>
        </button>
        {children}
        <BalanceLink />
      </div>
    </nav>
  )
}

function CartBadge() {
  const { length } = useCart()
  if (length === 0) return null
  return (
    <b className={styles['count']} aria-label={frameTexts.inCart(length)}>
      {length}
    </b>
  )
}

const InboxBadge = () => (
  <ErrorBoundary fallback={() => null}>
    <Suspense>
      <InboxCount />
    </Suspense>
  </ErrorBoundary>
)

/** The badge that counts what is waiting at a place. */
const badges: Readonly<Record<string, () => ReactNode>> = {
  '/cart': () => <CartBadge />,
  '/inbox': () => <InboxBadge />,
}

function PlaceLink({ path, label, icon: Icon, children }: Place & { children?: ReactNode }) {
  return (
    <Link to={path} search={keepView} className={styles['place']!} activeProps={{ 'aria-current': 'page' }}>
      <Icon size={20} aria-hidden />
      <span className={`${layout['raised']} ${typography['oneLine']} ${typography['normal']} ${layout['box']}`}>
        {label}
      </span>
      {children}
    </Link>
  )
}

/** The credits that the organization can spend; nothing for a person without a wallet. */
function BalanceLink() {
  const { data: me } = usePrincipal()
  if (!me?.wallet) return <span className={styles['balance']} aria-hidden />
  const credits = me.wallet.available_credits
  const short = credits.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 })
  return (
    <Link
      to="/money"
      search={keepView}
      className={styles['balance']!}
      aria-label={frameTexts.balance(`${short} ${frameTexts.credits}`)}
      title={frameTexts.balance(formatCredits(credits))}
    >
      {short} <small aria-hidden>{frameTexts.credits}</small>
    </Link>
  )
}
