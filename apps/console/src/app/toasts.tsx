import type { Event } from '@swath/client/operations.ts'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { frameTexts } from '../texts/frame.ts'
import styles from './notices.module.css'
import { toToasts, type Toast } from './toast-events.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

const max_toasts = 3

/** The toasts of work that finished elsewhere, until they are dismissed or the person opens the page that shows it. */
export function useToasts(path: string) {
  const [all, setAll] = useState<readonly Toast[]>([])
  const addToasts = useCallback(
    (events: readonly Event[]) => setAll((toasts) => [...toasts, ...toToasts(events)].slice(-max_toasts)),
    [],
  )
  const dismiss = useCallback((id: string) => setAll((toasts) => toasts.filter((toast) => toast.id !== id)), [])
  useEffect(() => {
    setAll((toasts) =>
      toasts.some((toast) => toast.path === path) ? toasts.filter((toast) => toast.path !== path) : toasts,
    )
  }, [path, all])
  return { toasts: all.filter((toast) => toast.path !== path), addToasts, dismiss }
}

export function Toasts({ toasts, onDismiss }: { toasts: readonly Toast[]; onDismiss: (id: string) => void }) {
  return (
    <div className={styles['toasts']} role="status">
      {toasts.map(({ id, kind, path, isFailure }) => {
        const Icon = isFailure ? CircleAlert : CircleCheck
        return (
          <div key={id} className={`${layout['line']} ${layout['box']} ${styles['toast']}`} data-failure={isFailure}>
            <Icon size={16} aria-hidden />
            <Link to={path} search={({ v }: { v?: string }) => (v ? { v } : {})}>
              {frameTexts.toasts[kind]}
            </Link>
            <button
              className={`${layout['center']} ${layout['square']} ${typography['muted']}`}
              type="button"
              aria-label={frameTexts.dismiss}
              title={frameTexts.dismiss}
              onClick={() => onDismiss(id)}
            >
              <X size={16} aria-hidden />
            </button>
          </div>
        )
      })}
    </div>
  )
}
