import { useId, useState, type KeyboardEvent } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { useSettled } from '../../api/use-settled.ts'
import { useMap } from '../../map/map-context.tsx'
import type { MapView } from '../../map/map-view.ts'
import { describePlace, flyToPlace, viewOfPlace, type FoundPlace } from '../../map/places.ts'
import { texts } from '../../texts.ts'
import { TextField } from '../../ui/field.tsx'
import styles from './place-field.module.css'

const max_shown = 8

/** Moves the map to a place by its name, or to a position. */
export function PlaceField({ onGo }: { readonly onGo: (target: MapView) => void }) {
  const map = useMap()
  const list_id = useId()
  const [text, setText] = useState('')
  const [current, setCurrent] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const query = useSettled(text.trim())
  const { data } = useOperation(
    'catalog.places.search',
    { query, limit: max_shown },
    { enabled: isOpen && query !== '' },
  )
  const isSettled = query === text.trim()
  const places = isOpen && isSettled ? (data?.places ?? []) : []
  const go = (place: FoundPlace): void => {
    if (!map) return
    setText(place.name)
    setOpen(false)
    const target = viewOfPlace(map, place)
    onGo(target)
    flyToPlace(map, target)
  }
  const press = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (event.key === 'Escape') setOpen(false)
    if (step === undefined || places.length === 0) return
    event.preventDefault()
    setCurrent((current + step + places.length) % places.length)
  }
  const isUnknown = isOpen && isSettled && query !== '' && data?.places.length === 0
  return (
    <form
      role="search"
      className={styles['search']}
      aria-label={texts.explore.place}
      onSubmit={(event) => {
        event.preventDefault()
        const place = places[current]
        if (place) go(place)
      }}
    >
      <TextField
        label={texts.explore.place}
        type="search"
        role="combobox"
        aria-expanded={places.length > 0}
        aria-controls={list_id}
        aria-autocomplete="list"
        aria-activedescendant={places[current] ? `${list_id}-${current}` : undefined}
        enterKeyHint="go"
        autoComplete="off"
        placeholder={texts.explore.placeExample}
        error={isUnknown ? texts.explore.unknownPlace : null}
        value={text}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
        onChange={(value) => {
          setText(value)
          setCurrent(0)
          setOpen(true)
        }}
      />
      <PlaceList id={list_id} places={places} current={current} onChoose={go} />
    </form>
  )
}

interface PlaceListProps {
  readonly id: string
  readonly places: readonly FoundPlace[]
  /** Index of the place that Enter chooses. */
  readonly current: number
  readonly onChoose: (place: FoundPlace) => void
}

/** What was found, below the text field, which keeps the focus. */
const PlaceList = ({ id, places, current, onChoose }: PlaceListProps) => (
  <ul id={id} className={styles['list']} role="listbox" aria-label={texts.explore.place} hidden={places.length === 0}>
    {places.map((place, index) => (
      <li
        key={`${place.lon} ${place.lat} ${place.name} ${place.reading}`}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === current}
        // Before the field loses the focus, which closes the list.
        onPointerDown={(event) => {
          event.preventDefault()
          onChoose(place)
        }}
      >
        <span>{place.name}</span>
        <small>{describePlace(place)}</small>
      </li>
    ))}
  </ul>
)
