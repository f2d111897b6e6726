import type { Area, InputOf, OutputOf } from '@swath/client/operations.ts'
import { useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Credits, Time } from '../../ui/figures.tsx'
import { formatPercent } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import styles from './explore.module.css'
import layout from '../../ui/layout.module.css'

type Offer = OutputOf<'catalog.compare_prices'>['offers'][number]

const words = exploreTexts.comparison

export interface PriceComparisonProps {
  /** The area, dates and limits of the search. */
  readonly input: Omit<InputOf<'catalog.compare_prices'>, 'intersects'>
  readonly area: Area
  readonly onOpen: (scene: string) => void
}

/** The price of the area in each collection of all hosts, the cheapest first; read when it is opened. */
export function PriceComparison({ input, area, onOpen }: PriceComparisonProps) {
  const [isOpen, setOpen] = useState(false)
  const request = { ...input, intersects: area }
  const comparison = useOperation('catalog.compare_prices', request, { enabled: isOpen })
  return (
    <details
      className={`${layout['flat']} ${layout['lineBelow']} ${layout['rigid']} ${styles['comparison']}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{words.title}</summary>
      {isOpen && (
        <QueryView query={comparison} rows={3}>
          {({ offers }) =>
            offers.length === 0 ? (
              <p role="status">{words.none}</p>
            ) : (
              <ul>
                {offers.map((offer) => (
                  <OfferRow key={`${offer.host_name} ${offer.collection}`} offer={offer} onOpen={onOpen} />
                ))}
              </ul>
            )
          }
        </QueryView>
      )}
      {isOpen && <CopyCall operation="catalog.compare_prices" input={request} />}
    </details>
  )
}

function OfferRow({ offer, onOpen }: { offer: Offer; onOpen: (scene: string) => void }) {
  const { title, host_name, scene_id, datetime, gsd, cloud_cover, covered_percent, scene_count, price } = offer
  const facts = [
    gsd !== null && exploreTexts.gsd(gsd),
    exploreTexts.covers(formatPercent(covered_percent)),
    cloud_cover !== null && words.cloud(formatPercent(cloud_cover)),
    words.scenes(scene_count),
  ]
  return (
    <li>
      <button
        className={`${layout['sides']} ${layout['gap12']} ${layout['wide']} ${layout['inset']} ${layout['lineAbove']} ${layout['choice']}`}
        type="button"
        onClick={() => onOpen(`${host_name} ${scene_id}`)}
      >
        <span className={layout['grid']}>
          <strong>{title}</strong>
          <small>
            {host_name} · <Time at={datetime} />
          </small>
          <small>{facts.filter(Boolean).join(' · ')}</small>
        </span>
        {price.credits === 0 ? (
          exploreTexts.free
        ) : (
          <Credits credits={price.credits} {...(price.aud ? { aud: price.aud } : {})} />
        )}
      </button>
    </li>
  )
}
