import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useMap } from '../../map/map-context.tsx'
import type { MapView } from '../../map/map-view.ts'
import { findPlace, flyToPlace, readPlaces } from '../../map/places.ts'
import { texts } from '../../texts.ts'
import { TextField } from '../../ui/field.tsx'

/** Chosen from the list, whose event has no type or that of a replacement; what is typed may go on. */
const isChosen = ({ inputType }: { readonly inputType?: string } & Event): boolean =>
  inputType === undefined || inputType === '' || inputType === 'insertReplacementText'

/** Moves the map to a country or a city by its name. */
export function PlaceField({ onGo }: { readonly onGo: (target: MapView) => void }) {
  const map = useMap()
  const list_id = useId()
  const [text, setText] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const [isUsed, setUsed] = useState(false)
  const { data: places = [] } = useQuery({
    queryKey: ['map places'],
    queryFn: () => readPlaces(map!),
    enabled: map !== null && isUsed,
    staleTime: Infinity,
  })
  const go = (name: string): void => {
    const place = findPlace(places, name)
    setUnknown(!place)
    if (!map || !place) return
    setText(place.name)
    onGo(place)
    flyToPlace(map, place)
  }
  return (
    <form
      role="search"
      aria-label={texts.explore.place}
      onSubmit={(event) => {
        event.preventDefault()
        go(text)
      }}
    >
      <TextField
        label={texts.explore.place}
        type="search"
        list={list_id}
        enterKeyHint="go"
        autoComplete="off"
        placeholder={texts.explore.placeExample}
        error={isUnknown ? texts.explore.unknownPlace : null}
        value={text}
        onFocus={() => setUsed(true)}
        onChange={(value) => {
          setText(value)
          setUnknown(false)
        }}
        onInput={({ nativeEvent, currentTarget }) => {
          if (isChosen(nativeEvent)) go(currentTarget.value)
        }}
      />
      <datalist id={list_id}>
        {places.map(({ name, kind }) => (
          <option key={`${kind} ${name}`} value={name} />
        ))}
      </datalist>
    </form>
  )
}
