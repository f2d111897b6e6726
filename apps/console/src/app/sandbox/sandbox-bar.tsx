import { Timer, FlaskConical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { sandboxTexts } from '../../texts/sandbox.ts'
import { Time } from '../../ui/figures.tsx'
import styles from './sandbox.module.css'
import { SandboxControls } from './sandbox-controls.tsx'
import typography from '../../ui/typography.module.css'
import layout from '../../ui/layout.module.css'

const words = sandboxTexts

/** Stands on the map of a sandbox organization: what time it is there, that its money is play money, and ways to move on. */
export function SandboxBar() {
  const clock = useOperation('sandbox.clock.get', {})
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
      setOpen(false)
      button.current?.focus()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isOpen])
  return (
    <section className={`${layout['stack4']} ${styles['bar']}`} aria-label={words.label}>
      <button
        ref={button}
        type="button"
        className={`${layout['facts']} ${styles['clock']}`}
        aria-expanded={isOpen}
        aria-controls="sandbox-controls"
        onClick={() => setOpen(!isOpen)}
      >
        <span className={typography['warning']}>
          <FlaskConical size={14} aria-hidden />
          {words.title}
        </span>
        {clock.data && (
          <b>
            <Timer size={14} aria-hidden />
            <Time at={clock.data.now} />
          </b>
        )}
        <small className={typography['warning']}>{words.playMoney}</small>
      </button>
      <div
        id="sandbox-controls"
        className={`${layout['stack12']} ${layout['box']} ${styles['controls']}`}
        hidden={!isOpen}
      >
        {isOpen && <SandboxControls clock={clock} />}
      </div>
    </section>
  )
}
