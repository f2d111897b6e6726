import { CircleUser } from 'lucide-react'
import { lazy, useRef, useState } from 'react'
import { accountTexts } from '../texts/account.ts'
import { OverlayBoundary } from '../ui/boundaries/overlay-boundary.tsx'
import styles from './rail.module.css'
import type { ThemeChoice } from './theme.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

const loadMenu = () => import('./account-menu.tsx')
const AccountMenu = lazy(() => loadMenu().then((module) => ({ default: module.AccountMenu })))

/** Opens the account menu, which is loaded when a person is about to open it. */
export function AccountButton({ choice }: { choice: ThemeChoice }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const prepare = (): void => void loadMenu().catch(() => undefined)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['place']}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(true)}
      >
        <CircleUser size={20} aria-hidden />
        <span className={`${layout['raised']} ${typography['oneLine']} ${typography['normal']} ${layout['box']}`}>
          {accountTexts.account}
        </span>
      </button>
      {isOpen && (
        <OverlayBoundary onClose={() => setOpen(false)}>
          <AccountMenu button={button} choice={choice} onClose={() => setOpen(false)} />
        </OverlayBoundary>
      )}
    </>
  )
}
