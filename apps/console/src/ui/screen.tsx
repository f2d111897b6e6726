import { ArrowLeft } from 'lucide-react'
import { createContext, type ReactNode } from 'react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { uiTexts } from '../texts/ui.ts'
import styles from './screen.module.css'
import layout from './layout.module.css'

/** The way back of the screen that a part stands in; null where it has none. */
export const ScreenBack = createContext<ScreenProps['back'] | null>(null)

export interface ScreenProps {
  readonly title: ReactNode
  /** The place that this detail belongs to. */
  readonly back?: Pick<LinkProps, 'to' | 'search' | 'params'>
  /** The same, where the detail is a state of the same URL. */
  readonly onBack?: () => void
  readonly actions?: ReactNode
  /** Stays below the title while the content is scrolled. */
  readonly toolbar?: ReactNode
  /** Stays at the lower edge. */
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** The content of the panel: a title with actions, and the scrolled content below it. */
export function Screen({ title, back, onBack, actions, toolbar, footer, children }: ScreenProps) {
  return (
    <section className={`${layout['column']} ${styles['screen']}`} aria-labelledby="screen-title">
      <header className={`${layout['stack12']} ${layout['inset']} ${layout['lineBelow']}`}>
        <div className={styles['title']}>
          {back && (
            <Link
              {...back}
              className={`${layout['center']} ${styles['back']}`}
              aria-label={uiTexts.back}
              title={uiTexts.back}
            >
              <ArrowLeft size={18} aria-hidden />
            </Link>
          )}
          {onBack && (
            <button
              type="button"
              className={`${layout['center']} ${styles['back']}`}
              aria-label={uiTexts.back}
              title={uiTexts.back}
              onClick={onBack}
            >
              <ArrowLeft size={18} aria-hidden />
            </button>
          )}
          <h1 id="screen-title" tabIndex={-1}>
            {title}
          </h1>
          {actions && <div className={layout['wrap']}>{actions}</div>}
        </div>
        {toolbar}
      </header>
      <div className={`${layout['fill']} ${layout['scroll']} ${layout['relative']} ${styles['body']}`}>
        <ScreenBack value={back ?? null}>{children}</ScreenBack>
      </div>
      {footer}
    </section>
  )
}

/** A part of a screen with a heading. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section
      className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']} ${layout['relative']} ${styles['section']}`}
      aria-label={title}
    >
      <div className={styles['title']}>
        <h2>{title}</h2>
        {actions && <div className={layout['wrap']}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}
