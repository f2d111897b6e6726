import type { LucideIcon } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { shareTexts as texts } from '../texts/share.ts'
import styles from './share.module.css'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

/** One matter in the middle of the page, before a link is open. */
export function Card({ title, icon: Icon, children }: { title: string; icon?: LucideIcon; children: ReactNode }) {
  useDocumentTitle(title)
  return (
    <main className={`${layout['center']} ${styles['page']}`}>
      <div className={`${layout['stack12']} ${layout['box']} ${styles['card']}`}>
        <p className={`${layout['line']} ${typography['muted']} ${typography['strong']}`}>
          <img src="/favicon.svg" alt="" width={24} height={24} />
          {texts.product}
        </p>
        <h1 className={layout['line']}>
          {Icon && <Icon size={20} aria-hidden />}
          {title}
        </h1>
        {children}
      </div>
    </main>
  )
}

/** Names the document in the tab of the browser. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – ${texts.product}`
  }, [title])
}
