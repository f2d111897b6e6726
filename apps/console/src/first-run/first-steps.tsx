import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck, Play, X } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../api/use-operation.ts'
import { keepView } from '../map/keep-view.ts'
import { firstStepsTexts } from '../texts/first-steps.ts'
import { Button } from '../ui/button.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import styles from './first-steps.module.css'
import type { KeptSteps } from './kept-steps.ts'
import { countOwnKeys, findDoneSteps, steps, type Step } from './steps.ts'
import { useKeptSteps } from './use-kept-steps.ts'
import { useFirstLook } from './use-first-look.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

/** Route of the page for each step. */
const places: Readonly<Record<Step, string>> = {
  find: '/explore',
  buy: '/cart',
  look: '/view',
  share: '/library',
  call: '/build',
}

/** The first steps of a new person, until they are done or the person closes them. */
export function FirstSteps() {
  const { kept, keep } = useKeptSteps()
  if (!kept || kept.card === 'hidden') return null
  return <ReadSteps kept={kept} onClose={() => keep({ card: 'hidden' })} />
}

interface StepsProps {
  readonly kept: KeptSteps
  readonly onClose: () => void
}

/** Reads which steps are done. A step that the person may not read stays open. */
function ReadSteps({ kept, onClose }: StepsProps) {
  const orders = useOperation('orders.list', { size: 1 })
  const links = useOperation('share.link.list', { limit: 1 })
  const keys = useOperation('api_keys.list', {})
  const isRead = [orders, links, keys].every(({ isPending }) => !isPending)
  const done = findDoneSteps({
    seen: kept.seen,
    order_count: orders.data?.totalElements ?? null,
    link_count: links.data?.total ?? null,
    key_count: keys.data ? countOwnKeys(keys.data.api_keys) : null,
  })
  // Ticks that arrive one after the other, or a card that goes again, would only disturb.
  if (!isRead || (done.size === steps.length && kept.card === 'auto')) return null
  return <StepsCard done={done} onClose={onClose} />
}

function StepsCard({ done, onClose }: { done: ReadonlySet<Step>; onClose: () => void }) {
  const words = firstStepsTexts
  // On small screens, and for who has bought before, the results come first.
  const [isOpen] = useState(() => matchMedia('(width >= 720px)').matches && !done.has('buy'))
  const [wasOpened, setOpened] = useState(isOpen)
  return (
    <section
      className={`${layout['stack8']} ${layout['box']} ${layout['raised']} ${layout['relative']} ${layout['rigid']} ${styles['card']}`}
      aria-label={words.title}
    >
      <details open={isOpen} onToggle={() => setOpened(true)}>
        <summary>
          {words.title} <small>{words.done(done.size, steps.length)}</small>
        </summary>
        <ol className={layout['stack4']}>
          {steps.map((step) => (
            <li
              className={`${layout['grid']} ${layout['middle']} ${typography['muted']}`}
              key={step}
              data-done={done.has(step)}
            >
              {done.has(step) ? (
                <CircleCheck size={16} aria-label={words.isDone} />
              ) : (
                <Circle size={16} aria-label={words.isOpen} />
              )}
              <Link to={places[step]} search={keepView}>
                {words.steps[step]}
              </Link>
              <small>{words.help[step]}</small>
            </li>
          ))}
        </ol>
        {/* It searches two catalogs: not for a card that nobody has unfolded. */}
        {wasOpened && <FirstLookButton />}
      </details>
      <Button kind="quiet" icon={X} aria-label={words.close} title={words.close} onClick={onClose} />
    </section>
  )
}

function FirstLookButton() {
  const look = useFirstLook()
  const words = firstStepsTexts.look
  if (!look.isOffered) return null
  return (
    <div className={layout['row']}>
      <Button icon={Play} isPending={look.isDelivering} onClick={look.start}>
        {words.start}
      </Button>
      <small role="status">{look.isDelivering ? words.delivering : look.hasFailed ? words.failed : words.help}</small>
      {look.error && <ProblemNote error={look.error} />}
    </div>
  )
}
