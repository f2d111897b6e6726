import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes } from 'react'
import styles from './button.module.css'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is the one main action of a view; `danger` destroys; `quiet` has no border. */
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet'
  readonly icon?: LucideIcon
  /** The call of this button is under way: it keeps its place and its focus, and does nothing. */
  readonly isPending?: boolean
}

export function Button({ kind = 'plain', icon: Icon, isPending = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${styles['button']} ${styles[kind]}`}
      aria-busy={isPending}
      aria-disabled={isPending || rest.disabled}
      onClick={(event) => {
        if (isPending) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {Icon && <Icon size={16} aria-hidden />}
      {children}
    </button>
  )
}
