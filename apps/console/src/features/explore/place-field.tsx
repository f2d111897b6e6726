import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { useSettled } from '../../api/use-settled.ts'
import { useMapHolder } from '../../map/map-context.tsx'
import { formatView, type MapView } from '../../map/map-view.ts'
import { describePlace, flyToPlace, viewOfBounds, viewOfPlace } from '../../map/places.ts'
import { useGoTo } from '../../map/use-go-to.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { TextField } from '../../ui/field.tsx'
import styles from './place-field.module.css'
import { useFoundIds } from './use-found-ids.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const max_shown = 8

/** An option of the list. */
interface PlaceOption {
  readonly key: string
  readonly name: string
  readonly detail: string
  readonly choose: () => void
}

/** Places of this name, positions, and orders, items or scenes with this id; undefined until all has been read. */
function usePlaceOptions(
  query: string,
  isWanted: boolean,
  onGo: (target: MapView) => void,
): readonly PlaceOption[] | undefined {
  const { createdMap: map } = useMapHolder()
  const goTo = useGoTo()
  const { data } = useOperation('catalog.places.search', { query, limit: max_shown }, { enabled: isWanted })
  const ids = useFoundIds(query, isWanted)
  if (!data || !isWanted) return undefined
  return [
    ...ids.map(({ key, name, detail, path, search, bounds }): PlaceOption => ({
      key,
      name,
      detail,
      choose: () => {
        const view = map && bounds && viewOfBounds(map, bounds)
        if (view) onGo(view)
        goTo(path, { ...search, ...(view ? { v: formatView(view) } : {}) })
      },
    })),
    ...data.places.map((place): PlaceOption => ({
      key: `${place.lon} ${place.lat} ${place.name} ${place.reading}`,
      name: place.name,
      detail: describePlace(place),
      choose: () => {
        if (!map) return
        const target = viewOfPlace(map, place)
        onGo(target)
        flyToPlace(map, target)
      },
    })),
  ]
}

/** Moves the map to a place by its name, or to a position, or opens the scene, order or item of an id. */
export function PlaceField({ onGo }: { readonly onGo: (target: MapView) => void }) {
  const list_id = useId()
  const [text, setText] = useState('')
  const [current, setCurrent] = useState(0)
  const [isOpen, setOpen] = useState(false)
  /** Enter was pressed before anything was found. */
  const [isAwaited, setAwaited] = useState(false)
  const query = useSettled(text.trim())
  const isSettled = query === text.trim()
  const found = usePlaceOptions(query, isOpen && query !== '' && isSettled, onGo)
  const options = found ?? []
  const choose = ({ name, choose: run }: PlaceOption): void => {
    setText(name)
    setOpen(false)
    setAwaited(false)
    run()
  }
  useEffect(() => {
    if (isAwaited && found?.[0]) choose(found[0])
  })
  const press = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (event.key === 'Escape') setOpen(false)
    if (step === undefined || options.length === 0) return
    event.preventDefault()
    setCurrent((current + step + options.length) % options.length)
  }
  return (
    <form
      role="search"
      className={layout['relative']}
      aria-label={exploreTexts.place}
      onSubmit={(event) => {
        event.preventDefault()
        const option = options[current]
        if (option) choose(option)
        else setAwaited(isOpen)
      }}
    >
      <TextField
        label={exploreTexts.place}
        type="search"
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={list_id}
        aria-autocomplete="list"
        aria-activedescendant={options[current] ? `${list_id}-${current}` : undefined}
        enterKeyHint="go"
        autoComplete="off"
        placeholder={exploreTexts.placeExample}
        error={found?.length === 0 ? exploreTexts.unknownPlace : null}
        value={text}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
        onChange={(value) => {
          setText(value)
          setCurrent(0)
          setOpen(true)
          setAwaited(false)
        }}
      />
      <OptionList id={list_id} options={options} current={current} onChoose={choose} />
    </form>
  )
}

interface OptionListProps {
  readonly id: string
  readonly options: readonly PlaceOption[]
  /** Index of the option that Enter chooses. */
  readonly current: number
  readonly onChoose: (option: PlaceOption) => void
}

/** The found places, below the text field, which keeps the focus. */
const OptionList = ({ id, options, current, onChoose }: OptionListProps) => (
  <ul
    id={id}
    className={`${layout['box']} ${styles['list']}`}
    role="listbox"
    aria-label={exploreTexts.place}
    hidden={options.length === 0}
  >
    {options.map((option, index) => (
      <li
        key={option.key}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === current}
        // Before the field loses the focus, which closes the list.
        onPointerDown={(event) => {
          event.preventDefault()
          onChoose(option)
        }}
      >
        <span>{option.name}</span>
        <small className={typography['alignEnd']}>{option.detail}</small>
      </li>
    ))}
  </ul>
)
