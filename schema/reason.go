package schema

// Reason names one kind of failure. The vocabulary is closed and documented
// in docs/errors.md; every reason belongs to exactly one code.
type Reason string

// Reasons of code usage.
const (
	ReasonInvalidArguments   Reason = "invalid_arguments"
	ReasonUnknownField       Reason = "unknown_field"
	ReasonMissingField       Reason = "missing_field"
	ReasonInvalidField       Reason = "invalid_field"
	ReasonConflictingFields  Reason = "conflicting_fields"
	ReasonRecipientUnknown   Reason = "recipient_unknown"
	ReasonRecipientAmbiguous Reason = "recipient_ambiguous"
	ReasonRecipientDuplicate Reason = "recipient_duplicate"
	ReasonResourceInvalid    Reason = "resource_invalid"
	ReasonResourceOutside    Reason = "resource_outside_workspace"
	ReasonResourceDuplicate  Reason = "resource_duplicate"
	ReasonParticipantTaken   Reason = "participant_taken"
	ReasonCallerUnresolved   Reason = "caller_identity_unresolved"
	ReasonConfirmationNeeded Reason = "confirmation_needed"
	ReasonIDAmbiguous        Reason = "id_ambiguous"
)

// Reasons of code timeout.
const (
	ReasonLockTimeout Reason = "lock_timeout"
)

// Reasons of code data.
const (
	ReasonMessageUnknown     Reason = "message_unknown"
	ReasonClaimUnknown       Reason = "claim_unknown"
	ReasonDecisionUnknown    Reason = "decision_unknown"
	ReasonCursorUnknown      Reason = "cursor_unknown"
	ReasonIDUnknown          Reason = "id_unknown"
	ReasonRecordDamaged      Reason = "record_damaged"
	ReasonWorkspaceInvalid   Reason = "workspace_invalid"
	ReasonStoreForeign       Reason = "store_foreign"
	ReasonStoreReadOnly      Reason = "store_read_only"
	ReasonStoreFull          Reason = "store_full"
	ReasonStoreFailed        Reason = "store_failed"
	ReasonFormatNewer        Reason = "format_newer"
	ReasonInternalUnexpected Reason = "internal"
)

// Reasons of code conflict.
const (
	ReasonClaimConflict   Reason = "claim_conflict"
	ReasonClaimNotOwned   Reason = "claim_not_owned"
	ReasonReplyRequired   Reason = "reply_required"
	ReasonKeyReused       Reason = "key_reused"
	ReasonSessionFinished Reason = "session_finished"
	ReasonClaimedByOthers Reason = "claimed_by_others"
	ReasonHookForeign     Reason = "hook_foreign"
)

// reasons is the one table from a reason to its code and what it means.
var reasons = map[Reason]struct {
	code Code
	text string
}{
	ReasonInvalidArguments:   {CodeUsage, "The arguments are no JSON object, or one that cannot be read. Send one object whose members are the fields of the tool."},
	ReasonUnknownField:       {CodeUsage, "The tool has no field of that name. The details list the fields it has."},
	ReasonMissingField:       {CodeUsage, "A field that this call needs is missing. The message shows an example."},
	ReasonInvalidField:       {CodeUsage, "A field has the wrong form: its type, its length, a character, a word that is not allowed, or an id that is none."},
	ReasonConflictingFields:  {CodeUsage, "Fields exclude each other, or one of them belongs to another form of the call."},
	ReasonRecipientUnknown:   {CodeUsage, "Nobody in the room has that name. The details list the known participants and the closest one. Nothing was sent."},
	ReasonRecipientAmbiguous: {CodeUsage, "The name is no participant but the client of several. Name one of the candidates in the details."},
	ReasonRecipientDuplicate: {CodeUsage, "A recipient is named twice, perhaps once by the name of its client."},
	ReasonResourceInvalid:    {CodeUsage, "The resource is not well formed. The message says which form works."},
	ReasonResourceOutside:    {CodeUsage, "The file lies outside the workspace."},
	ReasonResourceDuplicate:  {CodeUsage, "Two of the resources are the same file, once links and dots are resolved."},
	ReasonParticipantTaken:   {CodeUsage, "The configured participant id differs from a known one in letter case only, or is known as the other kind, agent or human. Configure another id."},
	ReasonCallerUnresolved:   {CodeUsage, "The command acts for somebody, and nobody was given, or a session and generation that are no pair of this room. Attach, and pass what it prints."},
	ReasonIDAmbiguous:        {CodeUsage, "A piece of an id fits several. The details list them; give more of the one that is meant."},

	ReasonConfirmationNeeded: {CodeUsage, "A person at a terminal has to confirm this, and nobody did. Nothing was changed."},

	ReasonLockTimeout: {CodeTimeout, "Another process was writing and did not finish in time. Nothing was changed; try again."},

	ReasonMessageUnknown:     {CodeData, "There is no such message, or none that was addressed to you."},
	ReasonClaimUnknown:       {CodeData, "There is no such claim, or you hold none on exactly that resource. Nothing was changed."},
	ReasonDecisionUnknown:    {CodeData, "The id names no decision of this room."},
	ReasonCursorUnknown:      {CodeData, "The cursor belongs to no page of this list. Start again without a cursor."},
	ReasonIDUnknown:          {CodeData, "No message, claim or session of this room has that id, or one that begins or ends like that."},
	ReasonRecordDamaged:      {CodeData, "A file in the store is damaged, or was edited into something the rules forbid. It is left as it is and hides nothing else."},
	ReasonWorkspaceInvalid:   {CodeData, "The configured workspace is no place for a room. Configure the server with the directory of a project."},
	ReasonStoreForeign:       {CodeData, "`.acc` in the workspace is a link, a file or somebody else's. Move it away."},
	ReasonStoreReadOnly:      {CodeData, "The store cannot be written by this user. Nothing was changed."},
	ReasonStoreFull:          {CodeData, "No space is left for the store. Nothing was changed; free some and try again."},
	ReasonStoreFailed:        {CodeData, "The file system reported an error. The stderr of the server says more."},
	ReasonFormatNewer:        {CodeData, "The store was made by a newer version and is left untouched. Update the program."},
	ReasonInternalUnexpected: {CodeData, "Something failed that should not. The stderr of the server says more; what was reported before stands."},

	ReasonClaimConflict:   {CodeConflict, "Claims of other sessions are in the way. `details.conflicts` names each blocked resource and its holders. Nothing was claimed."},
	ReasonClaimNotOwned:   {CodeConflict, "The claim belongs to another session. Ask its owner; nothing was changed."},
	ReasonReplyRequired:   {CodeConflict, "A question or a request cannot be acknowledged unanswered. Reply to it, to decline if need be."},
	ReasonKeyReused:       {CodeConflict, "The idempotency key was used before, with other content. Repeat that call exactly, or choose a new key."},
	ReasonSessionFinished: {CodeConflict, "The session is finished already. Any other tool call opens a new one."},
	ReasonClaimedByOthers: {CodeConflict, "The guard found files that other sessions claim exclusively. `details.conflicts` names each of them and its holders."},
	ReasonHookForeign:     {CodeConflict, "The pre-commit hook is not as the guard left it, or belongs to another program. It was left as it is."},
}

// Reasons returns the closed vocabulary with the code of each reason.
func Reasons() map[Reason]Code {
	all := make(map[Reason]Code, len(reasons))
	for r, entry := range reasons {
		all[r] = entry.code
	}
	return all
}

// Describe says in a sentence or two what happened and what to do, "" for a
// reason that is not in the vocabulary.
func (r Reason) Describe() string { return reasons[r].text }
