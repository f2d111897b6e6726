import { Link } from '@tanstack/react-router'
import { BellRing, Check, CircleCheck, ImageOff } from 'lucide-react'
import type { AlertEvent, AlertRule } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { uiTexts } from '../../../texts/ui.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Time } from '../../../ui/figures.tsx'
import { formatTime } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { describeCondition, describeMeasured, formatMeasure } from '../rules/rule-text.ts'
import styles from '../watch.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'
import { useImage } from '../../../api/use-image.ts'

/** The path of a picture that the event names by the URL of the platform: the page may have been opened at another one. */
function toPath(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return `${pathname}${search}`
}

/** A picture of an item as wide as its column. */
function AlertPicture({ url, alt }: { url: string; alt: string }) {
  const image = useImage(toPath(url))
  return (
    <span className={styles['picture']}>
      {image.url && <img src={image.url} alt={alt} />}
      {image.isMissing && <ImageOff size={16} aria-label={uiTexts.noImage} />}
    </span>
  )
}

const words = alertsTexts

export interface AlertCardProps {
  readonly alert: AlertEvent
  /** Null until it is loaded, and after it was deleted. */
  readonly rule: AlertRule | null
  readonly isRuleDeleted: boolean
}

/** One alert: the value against the threshold, the place before and now, and what to do. */
export function AlertCard({ alert, rule, isRuleDeleted }: AlertCardProps) {
  const { id, acknowledged, acknowledged_at, computed_value, created_at } = alert
  const name = rule?.name ?? (isRuleDeleted ? words.deletedRule : '…')
  return (
    <article
      className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']} ${styles['alert']}`}
      aria-label={name}
      data-alert={id}
    >
      <header className={layout['split']}>
        {acknowledged ? (
          <Badge icon={CircleCheck} tone="neutral">
            {words.states.acknowledged}
          </Badge>
        ) : (
          <Badge icon={BellRing} tone="warning">
            {words.states.open}
          </Badge>
        )}
        <small>
          <Time at={created_at} />
        </small>
      </header>
      <h2 className={typography['anywhere']}>
        {rule ? (
          <Link to="/watch/rules/$ruleId" params={{ ruleId: rule.id }} search={keepView}>
            {name}
          </Link>
        ) : (
          name
        )}
      </h2>
      <p>{words.found(describeMeasured(alert), formatMeasure(computed_value), describeCondition(alert))}</p>
      <Pictures alert={alert} name={name} />
      {acknowledged_at && (
        <small>
          {words.acknowledgedAt} <Time at={acknowledged_at} />
        </small>
      )}
      <AlertActions alert={alert} name={name} />
    </article>
  )
}

function Pictures({ alert, name }: { alert: AlertEvent; name: string }) {
  const { picture_url, previous_picture_url } = alert
  return (
    <div className={`${layout['stack8']} ${styles['pictures']}`}>
      <figure className={layout['stack4']}>
        {previous_picture_url ? (
          <AlertPicture url={previous_picture_url} alt={words.pictureOf(name, words.before)} />
        ) : (
          <span className={styles['noPicture']}>{words.noBefore}</span>
        )}
        <figcaption>{words.before}</figcaption>
      </figure>
      <figure className={layout['stack4']}>
        {picture_url && <AlertPicture url={picture_url} alt={words.pictureOf(name, words.after)} />}
        <figcaption>{words.after}</figcaption>
      </figure>
    </div>
  )
}

function AlertActions({ alert, name }: { alert: AlertEvent; name: string }) {
  const { id, acknowledged, item_id, previous_item_id, created_at } = alert
  const acknowledge = useCommand('alerts.acknowledge_event', ['alerts.events.list'])
  return (
    <>
      <div className={layout['row']}>
        {!acknowledged && (
          <Button
            icon={Check}
            aria-label={words.acknowledgeNamed(name, formatTime(created_at))}
            isPending={acknowledge.isPending}
            onClick={() => acknowledge.mutate({ event_id: id })}
          >
            {words.acknowledge}
          </Button>
        )}
        {item_id && previous_item_id && (
          <Link to="/view" search={toComparison(item_id, previous_item_id) as never}>
            {words.compare}
          </Link>
        )}
        {item_id && (
          <Link to="/library/items/$itemId" params={{ itemId: item_id }} search={keepView}>
            {words.openItem}
          </Link>
        )}
      </div>
      {acknowledge.isError && <ProblemNote error={acknowledge.error} />}
    </>
  )
}

/** The URL of the viewer with the item before on the other side of the swipe. */
const toComparison = (item_id: string, previous_item_id: string) => ({
  items: `${item_id},${previous_item_id}`,
  compare: 'swipe',
  with: previous_item_id,
  tab: 'compare',
})
