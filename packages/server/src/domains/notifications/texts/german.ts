import type { NotificationTexts } from './notification-texts.ts'

export const german: NotificationTexts = {
  intlLocale: 'de',
  kinds: {
    alert: {
      title: 'Alarm: {rule_name}',
      body: 'Der Wert ({statistic}) von {expression} ist {value}; die Regel löst aus, wenn er {comparison} {threshold} liegt.',
      description: 'Eine Alarmregel mit diesem Kanal hat ausgelöst.',
    },
    'order.fulfilled': {
      title: 'Bestellung geliefert',
      body: '„{entity_name}“ wurde vollständig geliefert; {creditsCaptured} Credits wurden abgebucht.',
      description: 'Eine Bestellung wurde geliefert.',
    },
    'order.failed': {
      title: 'Bestellung gescheitert',
      body: '„{entity_name}“ ist gescheitert, und {creditsRefunded} Credits wurden freigegeben. {failureReason}',
      description: 'Eine Bestellung ist endgültig gescheitert.',
    },
    'order.cancelled': {
      title: 'Bestellung storniert',
      body: '„{entity_name}“ wurde storniert; {creditsCaptured} Credits wurden abgebucht.',
      description: 'Eine Bestellung wurde storniert.',
    },
    'feasibility.answered': {
      title: 'Machbarkeitsstudie liegt vor',
      body: 'Die Studie zu „{entity_name}“ liegt vor. Entscheiden Sie bis {decideBy}.',
      description: 'Eine Machbarkeitsstudie wartet auf eine Entscheidung.',
    },
    'quotation.requested': {
      title: 'Angebot liegt vor',
      body: 'Der Preis von „{entity_name}“ ist {creditsPrice} Credits. Entscheiden Sie bis {decideBy}.',
      description: 'Ein Angebot wartet auf eine Entscheidung.',
    },
    'saved_search.matched': {
      title: 'Neue Szenen: {name}',
      body: 'Die gespeicherte Suche hat neue Szenen bei {source_id}: {scene_ids}.',
      description: 'Eine gespeicherte Suche hat neue Szenen.',
    },
    'standing_order.proposed': {
      title: 'Szene für {credits} Credits vorgeschlagen',
      body: 'Der Dauerauftrag schlägt die Szene {scene_id} von {source_id} vor. {reason}',
      description: 'Ein Dauerauftrag schlägt eine Szene vor.',
    },
    'standing_order.cap_reached': {
      title: 'Dauerauftrag an seiner Grenze',
      body: 'Er hat {month_credits} von {max_credits_per_month} Credits verbraucht und ruht bis {until}.',
      description: 'Ein Dauerauftrag hat seine Grenze des Monats erreicht.',
    },
    'standing_order.suspended': {
      title: 'Dauerauftrag ausgesetzt',
      body: '{reason}',
      description: 'Ein Dauerauftrag wurde ausgesetzt.',
    },
    'report.delivered': {
      title: 'Bericht: {name}',
      body: 'Der regelmäßige Bericht von {from} bis {to} liegt vor. Seine Dateien sind angehängt, wenn sie nicht zu groß sind; sie bleiben 90 Tage gespeichert.',
      description: 'Ein regelmäßiger Bericht wurde erstellt.',
    },
    'upload.completed': {
      title: 'Upload abgeschlossen',
      body: 'Der Upload wurde übernommen. Abgelehnte Dateien: {refused_count}.',
      description: 'Ein Upload wurde übernommen.',
    },
    'credits.low_balance': {
      title: 'Niedriges Guthaben',
      body: '{available_credits} Credits sind übrig; der Schwellenwert ist {threshold_credits}.',
      description: 'Die Credits sind unter ihren Schwellenwert gefallen.',
    },
    'credits.depleted': {
      title: 'Keine Credits mehr',
      body: 'Bestellungen und Verarbeitung ruhen, bis Credits gekauft werden.',
      description: 'Es sind keine Credits mehr übrig.',
    },
    'credits.expiring': {
      title: 'Credits verfallen bald',
      body: '{available_credits} Credits verfallen am {expires_at}.',
      description: 'Credits verfallen in Kürze.',
    },
    'topup.failed': {
      title: 'Aufladung abgelehnt',
      body: 'Die Aufladung wurde abgelehnt: {reason}.',
      description: 'Eine Aufladung wurde abgelehnt.',
    },
    'payment_method.expiring': {
      title: 'Karte läuft bald ab',
      body: 'Die Karte mit den letzten Ziffern {last4} ({brand}) läuft {exp_month}/{exp_year} ab.',
      description: 'Eine Karte läuft in Kürze ab.',
    },
    'dispute.opened': {
      title: 'Zahlung bestritten',
      body: 'Eine Zahlung von {aud} AUD wird bestritten; {held_credits} Credits sind reserviert.',
      description: 'Ein Karteninhaber hat eine Zahlung bestritten.',
    },
    'invoice.issued': {
      title: 'Rechnung {number}',
      body: 'Die Rechnung für {period} beträgt {total_aud} AUD, fällig am {due_at}.',
      description: 'Die Rechnung eines Monats wurde gestellt.',
    },
    'event_subscription.failing': {
      title: 'Webhook-Endpunkt antwortet nicht',
      body: 'Seit {failing_since} ist jede Zustellung von {event_type} an {endpoint_url} gescheitert. Er wird am {disables_at} abgeschaltet.',
      description: 'Ein Webhook-Endpunkt ist seit einem Tag nicht erreichbar.',
    },
    'event_subscription.disabled': {
      title: 'Webhook abgeschaltet',
      body: 'Das Abonnement von {event_type} an {endpoint_url} wurde abgeschaltet: {reason}.',
      description: 'Ein Webhook-Abonnement wurde abgeschaltet.',
    },
    'invitation.accepted': {
      title: '{email} ist beigetreten',
      body: 'Die Einladung mit der Rolle {role} wurde angenommen.',
      description: 'Jemand ist auf eine Einladung hin der Organisation beigetreten.',
    },
    'ownership.transferred': {
      title: 'Die Organisation gehört jetzt {email}',
      body: '{former_owner_email} hat die Organisation übergeben und verwaltet sie weiter als Admin.',
      description: 'Die Organisation hat einen anderen Besitzer.',
    },
    'support_access.requested': {
      title: '{operator_email} bittet um Support-Zugang',
      body: '{reason} Ein Besitzer kann ihn für eine Zeit gewähren oder ablehnen.',
      description: 'Ein Betreiber der Plattform bittet darum, in der Organisation zu lesen.',
    },
    'delegations.stopped': {
      title: '{delegations} Schlüssel, Links oder Zeitpläne ruhen',
      body: '{message} Ein Besitzer oder Admin kann übernehmen, was weiterlaufen soll.',
      description: 'Schlüssel, Links, Webhooks oder Zeitpläne ruhen, weil ihr Urheber nicht mehr handeln darf.',
    },
  },
  words: {
    comparison: {
      gt: 'über',
      gte: 'bei mindestens',
      lt: 'unter',
      lte: 'bei höchstens',
      eq: 'genau bei',
      neq: 'nicht bei',
      between: 'in einem Bereich ab',
      outside: 'außerhalb eines Bereichs ab',
    },
    reason: {
      failing: 'seine Zustellungen sind zu lange gescheitert',
      gone: 'der Endpunkt hat geantwortet, dass es ihn nicht mehr gibt',
      stopped: 'zu viele wurden hintereinander abgelehnt',
    },
  },
  mail: {
    several: '{count} Benachrichtigungen',
    membership: 'Sie erhalten diese E-Mail als Mitglied von {organization}.',
    open: 'In Swath öffnen',
    end: 'Diese E-Mails beenden',
  },
  page: {
    ask: 'Diese E-Mails beenden?',
    askBody: 'Sie erhalten eine E-Mail, wenn: {description}',
    digest: 'Die tägliche Zusammenfassung.',
    done: 'Sie erhalten diese E-Mails nicht mehr',
    doneBody: 'Die Benachrichtigungen stehen weiter in der Konsole, wo Sie sie wieder wählen können.',
    invalid: 'Dieser Link ist nicht gültig',
    invalidBody: 'Kopieren Sie den ganzen Link der E-Mail, oder wählen Sie Ihre E-Mails in der Konsole.',
  },
}
