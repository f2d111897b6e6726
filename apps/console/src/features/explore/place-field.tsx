import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useMap } from '../../map/map-context.tsx'
import { findPlace, flyToPlace, readPlaces } from '../../map/places.ts'
import { texts } from '../../texts.ts'
import { TextField } from '../../ui/field.tsx'

/** Moves the map to a country or a city by its name. */
export function PlaceField({ onArrive }: { readonly onArrive: () => void }) {
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
    // The end of the flight may be in the same turn.
    void map.once('moveend', onArrive)
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
          // Chosen from the list, or written to its end.
          if (places.some(({ name }) => name === value)) go(value)
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
