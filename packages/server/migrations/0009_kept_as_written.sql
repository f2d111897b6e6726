-- What belongs to the journal is refused to the owner, too: holds and their ends cannot be emptied away, and the lines of
-- a charge say for ever what they said when it was made.

create trigger credit_holds_kept before truncate on credit_holds for each statement execute function refuse_change();
create trigger credit_hold_lots_kept before truncate on credit_hold_lots for each statement execute function refuse_change();
create trigger credit_hold_resolutions_kept before truncate on credit_hold_resolutions
  for each statement execute function refuse_change();

create trigger charge_lines_immutable before update or delete on charge_lines
  for each row execute function refuse_change();
create trigger charge_lines_kept before truncate on charge_lines for each statement execute function refuse_change();
create trigger charge_line_settlements_immutable before update or delete on charge_line_settlements
  for each row execute function refuse_change();
create trigger charge_line_settlements_kept before truncate on charge_line_settlements
  for each statement execute function refuse_change();
