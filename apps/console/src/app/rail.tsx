import { Link } from '@tanstack/react-router'
import {
  Code2,
  FolderOpen,
  Search,
  ShoppingBag,
  ShoppingCart,
  Telescope,
  Terminal,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { usePrincipal } from '../api/use-principal.ts'
import { useCart } from '../cart/cart.ts'
import { keepView } from '../map/keep-view.ts'
import { texts } from '../texts.ts'
import { formatCredits } from '../ui/format.ts'
import styles from './rail.module.css'

export interface Place {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
}

/** The places of the console, in the order of the rail; a place is added with its screen. */
export const places: readonly Place[] = [
  { path: '/explore', label: texts.frame.places.explore, icon: Search },
  { path: '/orders', label: texts.frame.places.orders, icon: ShoppingBag },
  { path: '/library', label: texts.frame.places.library, icon: FolderOpen },
  { path: '/watch', label: texts.frame.places.watch, icon: Telescope },
  { path: '/money', label: texts.frame.places.money, icon: Wallet },
  { path: '/build', label: texts.frame.places.build, icon: Code2 },
]

export interface RailProps {
  readonly onOpenPalette: () => void
  /** The account menu. */
  readonly children: ReactNode
}

export function Rail({ onOpenPalette, children }: RailProps) {
  const count = useCart().length
  return (
    <nav className={styles['rail']} aria-label={texts.frame.product}>
      <ul className={styles['places']}>
        {places.map((place) => (
          <li key={place.path}>
            <PlaceLink {...place} />
          </li>
        ))}
        <li>
          <PlaceLink path="/cart" label={texts.frame.places.cart} icon={ShoppingCart}>
            {count > 0 && (
              <b className={styles['count']} aria-label={texts.frame.inCart(count)}>
                {count}
              </b>
            )}
          </PlaceLink>
        </li>
      </ul>
      <div className={styles['tools']}>
        <button
          type="button"
          className={styles['place']}
          aria-keyshortcuts="Control+K Meta+K"
          aria-haspopup="dialog"
          onClick={onOpenPalette}
        >
          <Terminal size={20} aria-hidden />
          <span>{texts.frame.commands}</span>
        </button>
        {children}
        <BalanceLink />
      </div>
    </nav>
  )
}

function PlaceLink({ path, label, icon: Icon, children }: Place & { children?: ReactNode }) {
  return (
    <Link to={path} search={keepView} className={styles['place']!} activeProps={{ 'aria-current': 'page' }}>
      <Icon size={20} aria-hidden />
      <span>{label}</span>
      {children}
    </Link>
  )
}

/** What the organization can spend; nothing for a person without a wallet. */
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
      aria-label={texts.frame.balance(`${short} ${texts.frame.credits}`)}
      title={texts.frame.balance(formatCredits(credits))}
    >
      {short} <small aria-hidden>{texts.frame.credits}</small>
    </Link>
  )
}
