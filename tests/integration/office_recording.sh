# A recording of 60 s in an office whose every object is known (no scattered ones), with its world office_rooms.xml. Sourced after lib.sh.
office_record() {
    grep -v '<scatter' "$profiles/worlds/office_rooms.xml" >"$made/office_rooms.xml"
    cp "$profiles/worlds/office.xml" "$made/office.xml"
    "$doppel" run patrol --bind sim --clock sim --duration 60 --quiet --set WheelController.World="$made/office.xml" \
        --set LaserScanner.World="$made/office.xml" --set ScanRecorder.Interval=0.2 --set ScanRecorder.MaximumScans=4096 --out "$made"
}
# office_recorded: the recording is then the folder $made
office_recorded() { made_once office_recording office_record; }
